import { describe, expect, it } from "vitest";
import {
  cellPlace,
  formations,
  landing,
  readPlacement,
  turnedShape,
  writePlacement,
  type Formation,
} from "../src/games/mosaix/pieces";
import { cornerAt, pointAt, stepped } from "../src/games/mosaix/board/pointing";

/** Formation, arrangement, placement, and the cells that are written; what hangs over an edge is lost. */
const written: [Formation, string, string, Record<string, string>][] = [
  ["I", "ooxx", "0 2,5", { b5: "o", c5: "o", d5: "x", e5: "x" }],
  ["J", "tott", "3 4,4", { e4: "t", e5: "t", d6: "t", e6: "o" }],
  ["J", "txot", "2 7,3", { g3: "t" }],
  ["L", "ooxt", "2 2,0", { b1: "o" }],
  ["T", "toxx", "2 -1,4", { a5: "t" }],
  ["S", "xoox", "1 7,7", { g7: "o" }],
];

const turns = [0, 1, 2, 3];

describe("a formation", () => {
  it.each(written)("%s %s placed at %s lands where the rules write it", (formation, arrangement, text, cells) => {
    const landed = landing(formation, arrangement, readPlacement(text)).filter(({ cell }) => cell !== null);
    expect(Object.fromEntries(landed.map(({ cell, symbol }) => [cell, symbol]))).toEqual(cells);
  });

  it("is written as it was read", () => {
    expect(writePlacement(readPlacement("3 1,-1"))).toBe("3 1,-1");
    expect(cellPlace("c5")).toEqual({ column: 2, row: 4 });
  });
});

describe("pointing", () => {
  const shapes = formations.flatMap((formation) => turns.map((turn) => turnedShape(formation, turn)));

  it("reaches every place that touches the grid from a point inside it", () => {
    for (const shape of shapes)
      for (let column = 1 - shape.width; column < 7; column++)
        for (let row = 1 - shape.height; row < 7; row++) {
          const point = pointAt({ column, row }, shape);
          expect(Math.min(point.x, point.y, 7 - point.x, 7 - point.y)).toBeGreaterThan(0);
          expect(cornerAt(point, shape)).toEqual({ column, row });
        }
  });

  it("keeps the shape under the point", () => {
    for (const shape of shapes)
      for (let x = 0.05; x < 7; x += 0.1) {
        const { column } = cornerAt({ x, y: 3 }, shape);
        expect(column <= x && x < column + shape.width).toBe(true);
      }
  });

  it("stops a step at the last place that touches the grid", () => {
    const line = turnedShape("I", 0);
    let point = { x: 3.5, y: 3.5 };
    for (let step = 0; step < 12; step++) point = stepped(point, line, -1, 0);
    expect(cornerAt(point, line)).toEqual({ column: -3, row: 3 });
  });
});
