import { describe, expect, test } from "vitest";
import type { PatternsGroup, PatternsView } from "../src/api/wire";
import { cellAt } from "../src/games/cells";
import { isDealt, turnedBetween } from "../src/games/patterns/board/changes";
import { hasSpace, spaces, worthOf } from "../src/games/patterns/pieces";
import { lastCells } from "../src/games/patterns/traces";
import { choiceOf, choicesBySpace, countsOf, likelyMeant } from "../src/games/patterns/turn/choices";
import { happening } from "./happenings";

function group(colour: string, marker: number, ...cells: string[]): PatternsGroup {
  return { colour, marker, marked: cells[0] ?? "", cells, worth: marker * (cells.length - 1) };
}

function seen(fronts: Record<string, string>, ...groups: PatternsGroup[][]): PatternsView {
  const both = [groups[0] ?? [], groups[1] ?? []];
  return { phase: "playing", turn: 0, fronts, groups: both, bowls: ["G", "O"], start: null, forbidden: [{}, {}] };
}

describe("the mandala", () => {
  test("has 52 spaces and lacks three in each corner", () => {
    expect(spaces).toHaveLength(52);
    expect(["a1", "b1", "a2", "h8", "g8", "h7"].filter((name) => hasSpace(...cellAt(name)))).toEqual([]);
    expect(["c1", "b2", "a3", "f8"].every((name) => hasSpace(...cellAt(name)))).toBe(true);
  });

  test("adds up what groups are worth", () => {
    const view = seen({}, [group("K", 1, "d4", "d5"), group("O", 2, "a3", "a4", "a5")]);
    expect([worthOf(view, 0), worthOf(view, 1)]).toEqual([5, 0]);
  });
});

describe("choices", () => {
  const legal = ["open c1", "flip d4", "swap d4", "done"];

  test("are found by space", () => {
    expect(choicesBySpace(legal).get("d4")).toEqual(["flip", "swap"]);
    expect(choiceOf("done")).toBeNull();
    expect(choiceOf("give K")).toBeNull();
  });

  test("are counted, and only those that are legal", () => {
    expect(countsOf(["swap d4", "swap d5"])).toEqual([{ action: "swap", count: 2 }]);
  });

  test("guess what was meant where nothing is possible", () => {
    const view = seen({ d5: "K", e5: "S" }, [group("K", 1, "d4")]);
    expect(likelyMeant(view, 0, "d5")).toBe("flip");
    expect(likelyMeant(view, 0, "e5")).toBe("open");
    expect(likelyMeant(seen({ e5: "S" }, [group("G", 1, "d4")]), 0, "e5")).toBe("swap");
  });
});

describe("changes", () => {
  const before = seen({ d4: "K", d5: "K", e5: "S" });
  const opened = seen({ d5: "K", e5: "S" }, [group("G", 1, "d4")]);

  test("an exchange is told from a flip", () => {
    expect(turnedBetween(before, opened)).toEqual([{ seat: 0, cell: "d4", isExchanged: true }]);
    const flipped = seen({ d5: "K", e5: "S" }, [], [group("K", 1, "d4")]);
    expect(turnedBetween(before, flipped)).toEqual([{ seat: 1, cell: "d4", isExchanged: false }]);
  });

  test("the last spaces of both seats are read off the events", () => {
    const moves = ["give K", "open d4", "open e5", "flip d5", "done"];
    const recent = moves.map((move, index) => happening(index + 2, (index + 1) % 2, move));
    expect(lastCells(recent.slice(0, 3), 2)).toEqual([["d4"], ["e5"]]);
    expect(lastCells(recent, 2)).toEqual([["d5"], ["e5"]]);
    expect(lastCells(recent.slice(0, 1), 2)).toEqual([[], []]);
  });

  test("a deal is seen", () => {
    expect(isDealt(seen({}), before)).toBe(true);
    expect(isDealt(before, opened)).toBe(false);
  });
});
