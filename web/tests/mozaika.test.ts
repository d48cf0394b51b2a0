import { beforeAll, describe, expect, test } from "vitest";
import type { Item, MozaikaPlace, MozaikaProspect, MozaikaView } from "../src/api/wire";
import { changes } from "../src/games/mozaika/board/changes";
import { withDigit } from "../src/games/mozaika/keys";
import { cellAt, cellName, cells, lying, pieceOf } from "../src/games/mozaika/pieces";
import { summary } from "../src/games/mozaika/summary";
import { tables } from "../src/games/mozaika/tables";
import { lastCells, picksOf } from "../src/games/mozaika/traces";
import { event, item, move, prospectWords, structureWords, values } from "../src/games/mozaika/words";
import { speak } from "../src/texts/texts.svelte";
import { told } from "./happenings";

const names = ["Ada", "Bob", "Cy"];

/** A place whose board is drawn as four lines of tiles. */
function place(drawn: string, rest: Partial<MozaikaPlace> = {}): MozaikaPlace {
  const board = drawn
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return { board, hand: [], coins: 10, bid: null, worth: 0, prospects: [], ...rest };
}

const empty = ". . . .\n. . . .\n. . . .\n. . . .";

function seen(rest: Partial<MozaikaView>): MozaikaView {
  const table = { phase: "laying", round: 3, starter: 1, waiting: [], order: null, picked: 0, fly: null };
  const places = [place(empty), place(empty), place(empty)];
  return { ...table, flies_from: 4, display: [], places, incomes: null, ...rest };
}

beforeAll(async () => {
  globalThis.document ??= { documentElement: {} } as Document;
  await speak("en");
});

describe("tiles and cells", () => {
  test("are read as the view writes them", () => {
    expect(pieceOf("Y3*")).toEqual({ code: "Y3", colour: "Y", symbol: "3", fly: true });
    expect(pieceOf(".")).toBeNull();
  });

  test("have names both ways", () => {
    expect(cells).toHaveLength(16);
    expect(cells.every((name) => cellName(...cellAt(name)) === name)).toBe(true);
    expect(lying(place("R1 . . .\n. . . .\n. . B2 .\n. . . .").board, "c3")).toBe("B2");
  });
});

describe("what changed", () => {
  const before = seen({
    phase: "picking",
    display: ["B2", "R1"],
    places: [place(empty, { hand: ["R1"] }), place(empty), place(empty)],
  });

  test("a tile came from the display into a hand", () => {
    const after = seen({ places: [place(empty, { hand: ["R1", "R1"] }), place(empty), place(empty)] });
    expect(changes(before, after).bought).toEqual([{ seat: 0, code: "R1" }]);
  });

  test("a tile was laid, coins were earned, a fly sat down", () => {
    const after = seen({
      places: [place(empty), place(". . . .\n. Y4* . .\n. . . .\n. . . .", { coins: 12 }), place(empty)],
    });
    const found = changes(before, after);
    expect(found.laid).toEqual([{ seat: 1, cell: "b2", code: "Y4" }]);
    expect(found.flies).toEqual([{ seat: 1, cell: "b2" }]);
    expect(found.coins).toEqual([{ seat: 1, by: 2 }]);
  });
});

describe("what was done lately", () => {
  const recent = told(
    [null, "draw R1 B2"],
    [1, null],
    [0, "pick R1"],
    [1, "lay B2 a1"],
    [0, "lay R1 c3"],
    [0, "fly b2"],
  );

  test("each seat's last cell is marked, and the fly that came after it", () => {
    expect(lastCells(recent, 3)).toEqual([["c3", "b2"], ["a1"], []]);
    expect(lastCells([...recent, ...told([0, "lay Y4 d4"])], 2)).toEqual([["d4"], ["a1"]]);
  });

  test("picks are those since the last draw", () => {
    expect(picksOf(recent)).toEqual(new Map([[0, "R1"]]));
    expect(picksOf([...recent, ...told([null, "draw Y1 Y2"])])).toEqual(new Map());
  });
});

describe("a bid that is typed", () => {
  test("grows by a digit while it can be paid, else begins anew", () => {
    expect(withDigit(0, 7, 12)).toBe(7);
    expect(withDigit(1, 2, 12)).toBe(12);
    expect(withDigit(1, 3, 12)).toBe(3);
  });
});

describe("words", () => {
  const line = (kind: string, values: Record<string, unknown>): Item => {
    return { seat: 0, rule: "", kind, points: 2, cells: [], label: "", values };
  };

  test("for lines of the score", () => {
    expect(item(line("thrift", { coins: 1 }))).toBe("Thrift: 1 coin");
    expect(item(line("structure", { structure: "row.1", same: "colour" }))).toBe("Row 1 · one colour");
    expect(item(line("flies", { structure: "column.a", flies: 2 }))).toBe("Column a: 2 flies");
    expect(item(line("symmetry", { symmetry: "half-turn" }))).toBe("Symmetry: half turn");
    expect(item(line("symmetry", { symmetry: "diagonal.a1-d4" }))).toBe("Symmetry: diagonal a1–d4");
  });

  test("for structures and prospects", () => {
    const hope = {
      kind: "structure",
      name: "square.b2-c3",
      same: "pattern",
      of: "R4",
      worth: 4,
      cells: [],
      missing: 1,
    };
    expect(structureWords("square.b2-c3")).toBe("Square b2–c3");
    expect(prospectWords(hope satisfies MozaikaProspect)).toBe("Square b2–c3 · red star");
  });

  test("for moves and events; a sealed bid stays sealed", () => {
    expect(move("lay R1 b3", seen({ incomes: { "lay R1 b3": 2 } }))).toBe("Lay red circle on b3 (+2 coins)");
    expect(event(0, null, names)).toBe("Ada has sealed a bid");
    expect(event(1, "bid 1", names)).toBe("Bob bids 1 coin");
    expect(event(null, "draw R1 B2", names)).toBe("Open tiles: red circle and blue triangle");
    expect(event(2, "fly c1", names)).toBe("Cy puts the fly on c1");
  });

  test("for the values of a refusal", () => {
    expect(values({ seat: 2, tile: "Y4", cell: "b3", bid: 7 }, names)).toEqual({
      seat: "Cy",
      tile: "ochre star",
      cell: "b3",
      bid: 7,
    });
  });

  test("tell the situation and never another's bid", () => {
    const view = seen({
      phase: "bidding",
      waiting: [2],
      display: ["R1"],
      places: [place(empty, { bid: 3 }), place(empty), place(empty)],
    });
    expect(summary(view, 0, names)).toContain("Your bid is sealed: 3 coins. Still missing: Cy.");
    const bids = tables(view, 0, names).find((table) => table.columns.includes("Bid"));
    expect(bids?.rows.map((row) => row.cells[2])).toEqual(["3 coins", "sealed", "still missing"]);
  });
});
