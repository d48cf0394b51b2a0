import { describe, expect, test } from "vitest";
import { cut, isDark, luckOf, mixed, palette, shapes } from "../src/board/glass";
import { nextPlace } from "../src/board/grid-keys";
import { setting } from "../src/board/setting";

describe("glass", () => {
  test("the same seed gives the same piece, another seed another one", () => {
    expect(cut("teal", "d4")).toEqual(cut("teal", "d4"));
    expect(cut("teal", "d4").outer).not.toBe(cut("teal", "d5").outer);
  });

  test("luck stays between 0 and 1", () => {
    const luck = luckOf("any seed");
    const numbers = Array.from({ length: 1000 }, luck);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(new Set(numbers).size).toBeGreaterThan(990);
  });

  test("a mixture lies between its colours", () => {
    expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
    expect(mixed("#123456", "#ffffff", 0)).toBe("#123456");
  });

  test("what is inlaid differs in lightness from the glass round it", () => {
    const alike = Object.values(palette).filter(({ body, inlay }) => isDark(body) && isDark(inlay));
    expect(alike).toEqual([]);
  });

  test("every shape is one closed path", () => {
    for (const path of Object.values(shapes)) expect(path).toMatch(/^M[^M]*Z$/);
  });
});

describe("arrow keys", () => {
  const plus = (column: number, row: number): boolean => column === 1 || row === 1;
  const from = (column: number, row: number, key: string) => nextPlace({ column, row }, key, 3, 3, plus);

  test("walk to the next cell", () => {
    expect(from(1, 1, "ArrowUp")).toEqual({ column: 1, row: 0 });
    expect(from(0, 1, "ArrowRight")).toEqual({ column: 1, row: 1 });
  });

  test("stay where there is no cell", () => {
    expect(from(0, 1, "ArrowUp")).toBeNull();
    expect(from(1, 2, "ArrowDown")).toBeNull();
    expect(from(1, 1, "q")).toBeNull();
  });

  test("Home and End go to the ends of the row", () => {
    expect(from(1, 1, "Home")).toEqual({ column: 0, row: 1 });
    expect(from(1, 0, "End")).toEqual({ column: 1, row: 0 });
  });

  test("gaps are leapt over", () => {
    const ends = (column: number): boolean => column !== 1;
    expect(nextPlace({ column: 0, row: 0 }, "ArrowRight", 3, 1, ends)).toEqual({ column: 2, row: 0 });
  });
});

describe("setting", () => {
  const loops = (path: string): number => path.split("Z").length - 1;
  const bends = (path: string): number => path.split("A").length - 1;

  test("one cell has four corners", () => {
    expect(bends(setting([[2, 3]], 100, 2, 10))).toBe(4);
  });

  test("an L has one line with six corners", () => {
    const path = setting([[0, 0], [0, 1], [1, 1]], 100, 2, 10); // prettier-ignore
    expect([loops(path), bends(path)]).toEqual([1, 6]);
  });

  test("a hole gets a line of its own", () => {
    const ring = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y): [number, number] => [x, y]));
    const path = setting(ring.filter(([x, y]) => x !== 1 || y !== 1), 100, 2, 10); // prettier-ignore
    expect([loops(path), bends(path)]).toEqual([2, 8]);
  });

  test("cells that only touch at a corner are set apart", () => {
    expect(loops(setting([[0, 0], [1, 1]], 100, 2, 10))).toBe(2); // prettier-ignore
  });
});
