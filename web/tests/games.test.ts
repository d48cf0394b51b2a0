/** A game is a folder and its texts: nothing else in the pages knows its name. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { fileOfGame, filesOf, messagesIn } from "../catalogue";
import { palette, shapes } from "../src/board/glass";
import type { Kind, Sketch } from "../src/games/look";
import { languages } from "../src/texts/languages";

const source = join(import.meta.dirname, "../src");
const folder = join(source, "games");
const games = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

/** The texts of a game in a language; they stand in one file. */
function textsOf(game: string, language: string): Record<string, string> {
  const file = fileOfGame(game, language);
  return existsSync(file) ? messagesIn(file) : {};
}

/** Options by their names in the keys, with the names of their values. */
function optionsOf(game: string, texts: Record<string, string>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const key of Object.keys(texts).filter((known) => known.startsWith(`option.${game}.`))) {
    const [option = "", value] = key.split(".").slice(2);
    found[option] = [...(found[option] ?? []), ...(value ? [value] : [])];
  }
  return found;
}

function isKind([colour, shape]: Kind): boolean {
  return colour in palette && shape in shapes;
}

/** What a game's folder must have, and what else it may: the same names for the same things, parts in folders. */
const needed = ["index.ts", "Board.svelte", "Picture.svelte", "components.ts", "scene.ts", "emblem.ts"];
const words = ["words.ts", "summary.ts", "tables.ts"];
const played = ["pieces.ts", "traces.ts", "choice.svelte.ts", "keys.ts", "board", "turn", "seats"];
const MOST_FILES = 16;

describe.each(games)("the folder of %s", (game) => {
  it.each([...needed, ...words])("has %s", (name) => {
    expect(existsSync(join(folder, game, name))).toBe(true);
  });

  it("calls nothing by a name of its own", () => {
    const known = [...needed, ...words, ...played];
    expect(readdirSync(join(folder, game)).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("has no folder that is a hall", () => {
    const rooms = ["", "board", "turn", "seats"].map((room) => join(folder, game, room)).filter(existsSync);
    for (const room of rooms) expect(readdirSync(room).length, room).toBeLessThanOrEqual(MOST_FILES);
  });

  it("gives the pages its module by the folder's name", () => {
    const index = readFileSync(join(folder, game, "index.ts"), "utf-8");
    expect(index).toMatch(/export const game\b/);
    expect(index).toContain(`name: "${game}"`);
  });

  it("has a sign that can be drawn", async () => {
    const { emblem } = (await import(`../src/games/${game}/emblem.ts`)) as { emblem: Kind };
    expect(isKind(emblem)).toBe(true);
  });

  it("has a scene that can be drawn and has something to show", async () => {
    const { scene } = (await import(`../src/games/${game}/scene.ts`)) as { scene: Sketch };
    const letters = scene.rows.join("").toLowerCase().replace(/[. ]/g, "");
    expect(new Set(scene.rows.map((row) => row.length)).size).toBe(1);
    expect([...letters].filter((letter) => !(letter in scene.kinds))).toEqual([]);
    expect(Object.values(scene.kinds).every(isKind)).toBe(true);
    expect(letters.length).toBeGreaterThan(4);
    expect(scene.begun).toBeLessThan(1);
  });

  it.each(["scene", "emblem"])("loads nothing else with its %s", (name) => {
    const text = readFileSync(join(folder, game, `${name}.ts`), "utf-8");
    expect(text.match(/^import (?!type)/gm)).toBeNull();
  });
});

describe.each(games.flatMap((game) => languages.map((language) => [game, language] as const)))(
  "the texts of %s in %s",
  (game, language) => {
    const texts = textsOf(game, language);

    it.each(["title", "what"])("have game.….%s", (part) => {
      expect(texts[`game.${game}.${part}`]).toBeTruthy();
    });

    it("name every option, and at least two values of each", () => {
      for (const [option, values] of Object.entries(optionsOf(game, texts))) {
        expect(texts[`option.${game}.${option}`], option).toBeTruthy();
        expect(values.length, option).toBeGreaterThan(1);
      }
    });
  },
);

describe("the pages", () => {
  it("know no number of a rule: what the rules say, they say themselves", () => {
    const own = filesBelow(source).filter((file) => /\.(ts|svelte)$/.test(file));
    const written = [...own, ...languages.flatMap(filesOf)];
    const numbered = written.filter((file) => /\b[A-Z]{2}-\d/.test(readFileSync(file, "utf-8")));
    expect(numbered.map((file) => file.slice(source.length + 1))).toEqual([]);
  });
});

describe("everything else", () => {
  it("knows no game by its name", () => {
    const own = games.map((game) => join(folder, game) + sep);
    const others = filesBelow(source).filter(
      (file) =>
        /\.(ts|svelte|css)$/.test(file) && !file.endsWith("wire.ts") && !own.some((path) => file.startsWith(path)),
    );
    const named = new RegExp(`\\b(?:${games.join("|")})\\b`, "i");
    // A comment may give one as an example; a program may not.
    const program = (file: string) =>
      readFileSync(file, "utf-8").replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|\/\/.*/g, "");
    const found = others.filter((file) => named.test(program(file)));
    expect(found.map((file) => file.slice(source.length + 1))).toEqual([]);
  });
});
