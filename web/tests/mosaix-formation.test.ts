import { describe, expect, it } from "vitest";
import {
  cellPlace,
  formations,
  landing,
  readPlacement,
  turnedShape,
  writePlacement,
  type Formation,
} from "../src/games/mosaix/formation";
import { cornerAt, pointAt, stepped } from "../src/games/mosaix/pointing";

/** What the rules wrote in games that were played: formation, arrangement, placement, and the cells. */
const written: [Formation, string, string, Record<string, string>][] = [
  ["I", "ooxx", "0 2,5", { b5: "o", c5: "o", d5: "x", e5: "x" }],
  ["I", "ooxx", "3 6,5", { f5: "x", f6: "x", f7: "o" }],
  ["J", "txot", "0 0,4", { a5: "o", b5: "t" }],
  ["J", "tott", "1 3,7", { c7: "o", d7: "t" }],
  ["J", "txot", "2 7,3", { g3: "t" }],
  ["J", "tott", "3 4,4", { e4: "t", e5: "t", d6: "t", e6: "o" }],
  ["L", "xtxo", "1 5,1", { e1: "t", e2: "x", e3: "o", f3: "x" }],
  ["L", "ooxt", "2 2,0", { b1: "o" }],
  ["L", "xtxo", "3 1,2", { a2: "x", b2: "o", b3: "x", b4: "t" }],
  ["O", "ooto", "0 2,5", { b5: "o", c5: "o", b6: "t", c6: "o" }],
  ["O", "xoxo", "1 1,6", { a6: "x", b6: "x", a7: "o", b7: "o" }],
  ["O", "ooto", "2 4,1", { d1: "o", e1: "t", d2: "o", e2: "o" }],
  ["S", "xoox", "1 7,7", { g7: "o" }],
  ["S", "xoox", "2 3,0", { c1: "o", d1: "x" }],
  ["T", "toxx", "1 2,2", { c2: "t", b3: "x", c3: "o", c4: "x" }],
  ["T", "toxx", "2 -1,4", { a5: "t" }],
  ["Z", "oxtx", "0 4,6", { d6: "o", e6: "x", e7: "t", f7: "x" }],
  ["Z", "otxx", "2 1,7", { a7: "x", b7: "x" }],
  ["Z", "otxx", "3 1,-1", { a1: "o" }],
];

const turns = [0, 1, 2, 3];

describe("a formation", () => {
  it.each(written)("%s %s placed at %s lands where the rules write it", (formation, arrangement, text, cells) => {
    const landed = landing(formation, arrangement, readPlacement(text)).filter(({ cell }) => cell !== null);
    expect(Object.fromEntries(landed.map(({ cell, symbol }) => [cell, symbol]))).toEqual(cells);
  });

  it.each(formations)("%s is itself again after four quarter turns", (formation) => {
    expect(turnedShape(formation, 4)).toEqual(turnedShape(formation, 0));
  });

  it("turns clockwise: the top right cell of L is then bottom right", () => {
    expect(turnedShape("L", 0).cells[0]).toEqual({ column: 2, row: 0 });
    expect(turnedShape("L", 1).cells[0]).toEqual({ column: 1, row: 2 });
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
