/** Pictures that no browser draws: styles filled in, figures as strokes, boards that fit, and one for every game. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gameNames } from "../src/games/find";
import { withFigures } from "../src/picture/figures";
import { findPicture } from "../src/picture/find";
import { arranged, HEIGHT, WIDTH } from "../src/board/picture-size";
import { pictureRules, sheetOf, tokensOf } from "../src/picture/styles";

const css = readFileSync(join(import.meta.dirname, "../src/styles/tokens.css"), "utf-8");
const tokens = tokensOf(css);
const sheet = (text: string) => sheetOf(pictureRules(text, tokens));

describe("the styles of a picture", () => {
  it("know the tokens, by night", () => {
    expect(tokens.get("--bed")).toBe("#22242f");
    expect(tokens.get("--text")).toBe("#eceef4");
    expect([...tokens.values()].filter((value) => value.startsWith("light-dark"))).toEqual([]);
  });

  it("have colours instead of tokens", () => {
    expect(sheet(".a{fill:var(--bed);stroke:var(--nothing, #123456)}")).toBe(".a{fill:#22242f;stroke:#123456}");
  });

  it("leave out what cannot be known or has no meaning there", () => {
    expect(sheet(".a{fill:var(--nothing);width:100%}.b:hover{fill:red}")).toBe("");
    expect(sheet("@media (x){.a{fill:red}.b{fill:red}}.c{fill:blue}")).toBe(".c{fill:blue}");
    expect(sheet("/* {.a{fill:red} */.c{fill:blue}")).toBe(".c{fill:blue}");
  });

  it("are written as a plain reader of styles understands them", () => {
    expect(sheet(".a.x .b:where(.x), i.c.x{opacity:.5}")).toBe(".a.x .b.x{opacity:.5}i.c.x{opacity:.5}");
  });
});

describe("figures", () => {
  const rules = pictureRules("text.x{fill:red;font:700 50px sans}.small.x{font-size:12px}", tokens);

  it("are drawn where a number stood, as large and in its colour", () => {
    const drawn = withFigures('<g><text class="x" x="10" y="20">+16</text></g>', rules);
    expect(drawn).toContain('transform="translate(10 20) scale(0.5)"');
    expect(drawn).toContain('stroke="red"');
    expect(drawn.match(/<path/g)?.length).toBe(3);
    expect(drawn).not.toContain("<text");
  });

  it("are left out where they are words, or too small to be read", () => {
    expect(withFigures('<text class="x">ab</text><text class="x small">1</text><text class="x"></text>', rules)).toBe(
      "",
    );
  });

  it("are different from each other", () => {
    const all = [..."0123456789+"].map((sign) => withFigures(`<text class="x">${sign}</text>`, rules));
    expect(new Set(all).size).toBe(11);
    expect(all.every(Boolean)).toBe(true);
  });
});

describe("boards in a picture", () => {
  const cases = [1, 2, 3, 4, 5].flatMap((count) =>
    [0, 110].flatMap((breadth) => [0, 0.22].map((below) => ({ count, breadth, below }))),
  );

  it.each(cases)("fit side by side: $count, strip $breadth, below $below", ({ count, breadth, below }) => {
    const { squares, strip } = arranged(count, breadth, below);
    expect(squares.length).toBe(count);
    for (const [n, { x, y, side }] of squares.entries()) {
      expect(side).toBeGreaterThan(200);
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + side).toBeLessThanOrEqual(WIDTH - (strip.stands ? breadth : 0));
      expect(y + side * (1 + below)).toBeLessThanOrEqual(HEIGHT - (strip.stands ? 0 : breadth));
      for (const other of squares.slice(n + 1))
        expect(Math.abs(other.x - x) >= side || Math.abs(other.y - y) >= side * (1 + below)).toBe(true);
    }
  });
});

describe("every game", () => {
  it.each(gameNames)("%s has a picture", async (name) => {
    expect(await findPicture(name)).toBeTypeOf("function");
  });

  it("and nothing else has one", async () => {
    await expect(findPicture("chess")).rejects.toThrow("no picture");
  });
});
