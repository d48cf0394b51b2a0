import { expect, test } from "vitest";
import { hasWritten, lastCells } from "../src/games/mosaix/traces";
import { recentOf } from "../src/table/line/recent";
import { told } from "./happenings";

test("the latest events end with the one that is shown, and do not go back for ever", () => {
  const events = told(...Array.from({ length: 90 }, (_, n): [number, string] => [n % 2, "open d4"]));
  const recent = recentOf(events, 80, 2);
  expect(recent.at(-1)?.n).toBe(80);
  expect(recent.length).toBeLessThan(40);
  expect(recentOf(events, 3, 2).map((event) => event.n)).toEqual([1, 2, 3]);
});

test("a written formation lands where the announced one does, without what hangs over the edge", () => {
  const events = told([null, "roll ooxx"], [0, "form I ooxx"], [1, "place 0 2,5"], [0, "place 0 6,1"]);
  expect(lastCells(events, 2)).toEqual([
    ["f1", "g1"],
    ["b5", "c5", "d5", "e5"],
  ]);
});

test("one that passed has written nothing last, and a placement without its formation is not known", () => {
  const events = told([0, "form O ooxx"], [1, "place 0 1,1"], [1, "pass"]);
  expect(lastCells(events, 2)).toEqual([[], []]);
  expect(lastCells(told([0, "place 0 1,1"]), 1)).toEqual([[]]);
});

test("only what has just been written is new", () => {
  expect(hasWritten(told([1, "place 0 1,1"]), 1)).toBe(true);
  expect(hasWritten(told([1, "place 0 1,1"]), 0)).toBe(false);
});
