import { beforeAll, describe, expect, test } from "vitest";
import type { Because, Item, MosaixView } from "../src/api/wire";
import { tallyOf } from "../src/games/mosaix/seats/tally";
import { summary } from "../src/games/mosaix/summary";
import { tables } from "../src/games/mosaix/tables";
import { noteOf, type Held } from "../src/games/mosaix/turn/note";
import { event, move } from "../src/games/mosaix/words";
import { speak } from "../src/texts/texts.svelte";
import { told } from "./happenings";

const names = ["Ada", "Bo"];

beforeAll(async () => {
  globalThis.document ??= { documentElement: {} } as Document;
  await speak("en");
});

describe("what was written", () => {
  test("is told by its cells, also where the formation begins outside the grid", () => {
    const earlier = told([0, "form I oxox"], [0, "place 0 1,1"], [0, "form T toxx"]);
    expect(event(0, "place 2 -1,4", names, earlier)).toBe("Ada writes triangle a5; left out: 3");
    expect(event(1, "place 1 2,2", names, earlier)).toBe("Bo writes triangle c2, circle c3, cross c4, cross b3");
  });

  test("is offered by its cells as well", () => {
    const view = { formation: "Z", arrangement: "otxx" } as MosaixView;
    expect(move("place 3 1,-1", view)).toBe("Write Z, turned three times: circle a1; left out: 3");
  });
});

test("the dice are read before the grids, of which the own comes first", () => {
  const grid = { rows: Array<string>(7).fill("......."), printed: "d4", worth: 0 };
  const view = { phase: "forming", roller: 0, dice: "otxx", boxes: null, grids: [grid, grid] } as unknown as MosaixView;
  const captions = tables(view, 1, names).map((table) => table.caption);
  expect(captions).toEqual(["Dice", "Grid of Bo, 0 points", "Grid of Ada, 0 points", "Formations"]);
});

describe("the line under the grid", () => {
  const none = { mustPass: false, forming: true, writing: false, canStop: true };
  const asked = { ...none, formations: ["I"], arrangements: [], places: [] };
  const view = { idle: 0, patience: 0, passes: null } as unknown as MosaixView;
  const held: Held = {
    ...{ view, asked, formation: null, arrangement: "otxx", ghost: null, active: false },
    ...{ refused: null, places: new Set<string>(), because: null, names },
  };

  test("shows the rule by which somebody passes as the view gives it", () => {
    const passing = { ...held, view: { ...view, passes: "the rule" }, asked: { ...asked, mustPass: true } };
    expect(noteOf(passing)).toMatchObject({ tone: "plain", rule: "the rule" });
  });

  test("says why a formation cannot be chosen in the words and with the rule of the answer, once there is one", () => {
    const answer = {
      reason: "mosaix.fits-nowhere",
      values: { formation: "O" },
      rule: "the rule",
    } as unknown as Because;
    expect(noteOf({ ...held, refused: "O" }).tone).toBe("plain");
    expect(noteOf({ ...held, refused: "O", because: answer })).toMatchObject({
      text: "Formation O fits nowhere and cannot be chosen.",
      tone: "bad",
      rule: "the rule",
    });
  });
});

test("a game that ends because nobody could write says so", () => {
  const over = { phase: "over", idle: 3, patience: 3 } as MosaixView;
  expect(summary(over, 0, names)).toBe("The game is over: nobody could write in 3 rounds in a row.");
  expect(summary({ ...over, idle: 1 }, 0, names)).toBe("The game is over.");
  expect(summary({ ...over, idle: 0, patience: 0 }, 0, names)).toBe("The game is over.");
});

test("a product is shown only when all its areas are counted", () => {
  const area = (...cells: string[]) => ({
    seat: 0,
    kind: "area",
    points: 10,
    cells,
    values: { symbol: "o", areas: 2 },
  });
  const [one, other] = [area("a1", "a2"), area("c1", "c2")] as unknown as [Item, Item];
  expect(tallyOf([]).map((line) => line.isWhole)).toEqual([true, true, true]);
  expect(tallyOf([one])[0]?.isWhole).toBe(false);
  expect(tallyOf([one, other])[0]?.isWhole).toBe(true);
});
