/** Games that the pages have no folder for: shown as the server describes them, and called as it calls them. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { games } from "../src/api/games.svelte";
import type { TextView } from "../src/api/wire";
import { findGame, gameNames, offeredGames } from "../src/games/find";
import { plainGame } from "../src/games/plain";
import { resultText } from "../src/table/words/sentences";
import { speak } from "../src/texts/texts.svelte";
import { gameSaying, gameTitle, optionName, optionValue } from "../src/api/game-names";
import { gameInfo } from "./infos";

const names = ["Ada", "Ben"];
const board = { seat: null, rows: [["#", null]], notes: ["turn: 0"], named: true };
const view: TextView = {
  boards: [
    { ...board, title: "heap" },
    { ...board, title: "hand", seat: 1 },
  ],
};
const heap = plainGame("heap");

beforeAll(async () => {
  globalThis.document ??= { documentElement: {} } as Document;
  await speak("en");
});
beforeEach(() => {
  games.value = [gameInfo("heap", { title: "Heap" }), ...gameNames.map((name) => gameInfo(name, {}))];
});

describe("a game without a folder", () => {
  it("is found if the server has it", async () => {
    expect((await findGame("heap")).Board).toBeNull();
    await expect(findGame("chess")).rejects.toThrow("no game chess");
  });

  it("is offered behind those that have a board", () => {
    expect(offeredGames()).toEqual([...gameNames, "heap"]);
  });

  it("is called as the server calls it, and says what it lacks", () => {
    expect(gameTitle("heap")).toBe("Heap");
    expect(gameSaying("heap")).toContain("nobody has drawn its board");
    expect([optionName("heap", "size"), optionValue("heap", "size", "large")]).toEqual(["size", "large"]);
  });

  it("shows its boards as tables, one's own first, with names of cells and notes", () => {
    const [own, common] = heap.tables(view, 1, names);
    expect([own?.caption, common?.caption]).toEqual(["Ben: hand", "heap"]);
    expect(common).toMatchObject({ columns: ["a", "b"], rows: [{ head: "1", cells: ["#", ""] }], notes: ["turn: 0"] });
  });

  it("shows a view that was meant for a board field by field", () => {
    const [fields] = heap.tables({ heap: 19 } as unknown as TextView, null, names);
    expect(fields?.rows).toEqual([{ head: "heap", cells: ["19"] }]);
  });

  it("tells moves, events, scores and verdicts in the server's words", () => {
    expect(heap.move("take 2", view)).toBe("take 2");
    expect(heap.event(null, "deal 19", names, [])).toBe("deal 19");
    expect(heap.event(1, "take 2", names, [])).toBe("Ben: take 2");
    expect(heap.event(1, null, names, [])).toBe("Ben decides in secret");
    const item = { seat: 0, rule: "", kind: "last", points: 1, cells: [], label: "the last tile", values: {} };
    expect(heap.item(item)).toBe("the last tile");
    expect(resultText({ winners: [], scores: [3], verdict: "splendid" }, names)).toBe("splendid: 3 points");
  });
});
