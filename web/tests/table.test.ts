import { describe, expect, test } from "vitest";
import type { Item, State } from "../src/api/wire";
import { pointsOf } from "../src/games/points";
import { countedOf, pauses, steps } from "../src/table/ending/counting";
import { Pace } from "../src/table/line/pace";
import { grouped, matching } from "../src/table/words/moves";
import { nextOfMine, nextStep } from "../src/table/sitting/viewpoint";
import { happening } from "./happenings";

const state = (more: Partial<State>): State => ({ n: 1, events: [], acting: [], secret: false, ...more }) as State;
const event = (n: number, move: string | null) => happening(n, 0, move);

describe("where a screen looks from", () => {
  test("one seat of mine: from it, always", () => {
    expect(nextStep([2], null, state({}))).toEqual({ kind: "look", seat: 2 });
    expect(nextStep([2], 2, state({ secret: true, acting: [0] }))).toEqual({ kind: "stay" });
  });

  test("none of mine: as an onlooker", () => {
    expect(nextStep([], null, state({ acting: [0] }))).toEqual({ kind: "stay" });
  });

  test("several of mine without secrets: the next that must act", () => {
    expect(nextStep([0, 1, 2], 1, state({ acting: [0, 2] }))).toEqual({ kind: "look", seat: 2 });
    expect(nextStep([0, 1, 2], 1, state({ acting: [1, 2] }))).toEqual({ kind: "stay" });
    expect(nextStep([0, 1], 1, state({ acting: [3] }))).toEqual({ kind: "stay" });
  });

  test("several of mine with secrets: handed over first, closed when all have decided", () => {
    expect(nextStep([0, 1], 0, state({ acting: [1], secret: true }))).toEqual({ kind: "hand-over", seat: 1 });
    expect(nextStep([0, 1], null, state({ acting: [0, 1], secret: true }))).toEqual({ kind: "hand-over", seat: 0 });
    expect(nextStep([0, 1], 1, state({ acting: [2], secret: true }))).toEqual({ kind: "look", seat: null });
    expect(nextStep([0, 1], 1, state({ acting: [2], secret: true }), true)).toEqual({ kind: "stay" });
  });

  test("the next of mine comes after the last one, round the table", () => {
    expect(nextOfMine([0, 1, 3], [0, 3], 1)).toBe(3);
    expect(nextOfMine([0, 1, 3], [0], 3)).toBe(0);
    expect(nextOfMine([0, 1], [2], 0)).toBeNull();
  });
});

describe("the pace of what is shown", () => {
  test("the first state comes at once and tells no story", () => {
    const pace = new Pace();
    pace.take(state({ n: 4, events: [event(4, "bid 1")] }), 0);
    expect(pace.advance(0)).toBeNull();
    expect(pace.shown).toMatchObject({ state: { n: 4 }, fresh: [] });
  });

  test("quick states are shown in order, at most 0.8 s late, then together", () => {
    const pace = new Pace();
    for (let n = 1; n <= 6; n += 1) pace.take(state({ n, events: [event(n, `move ${String(n)}`)] }), 0);
    const seen: [number, number][] = [];
    for (let now: number | null = 0; now !== null;) {
      const next = pace.advance(now);
      seen.push([now, pace.shown?.state.n ?? 0]);
      now = next;
    }
    expect(seen).toEqual([
      [0, 1],
      [400, 2],
      [800, 6],
    ]);
    expect(pace.shown?.fresh.map((one) => one.n)).toEqual([3, 4, 5, 6]);
  });

  test("a secret that is shown later is news", () => {
    const pace = new Pace();
    pace.take(state({ n: 1, events: [event(1, null)] }), 0);
    pace.advance(0);
    pace.take(state({ n: 2, events: [event(1, "bid 3"), event(2, "bid 5")] }), 1000);
    pace.advance(1000);
    expect(pace.shown?.fresh.map((one) => one.do)).toEqual(["bid 3", "bid 5"]);
    pace.take(state({ n: 2, events: [event(1, "bid 3"), event(2, "bid 5")] }), 1100);
    pace.advance(1100);
    expect(pace.shown?.fresh).toEqual([]);
  });
});

describe("counting out", () => {
  const item = (seat: number, points: number): Item =>
    ({ seat, points, rule: "", kind: "", cells: [], label: "", values: {} }) as Item;

  test("leaves out what counts nothing", () => {
    expect(steps([item(0, 3), item(0, 0), item(1, -2)])).toHaveLength(2);
  });

  test("takes 0.6 s a line and 12 s at most", () => {
    expect(pauses(5)).toBe(600);
    expect(pauses(60) * 60).toBe(12_000);
  });

  test("tells line by line what each seat has", () => {
    const score = [item(0, 3), item(1, 0), item(1, 5), item(0, 4)];
    const points = (done: number) => [0, 1].map((seat) => pointsOf(countedOf(score, done), seat));
    expect([0, 1, 2, 3].map(points)).toEqual([
      [0, 0],
      [3, 0],
      [3, 5],
      [7, 5],
    ]);
    expect(countedOf(score, 0)).toEqual([item(1, 0)]);
  });
});

describe("the list of moves", () => {
  test("is grouped by verb", () => {
    expect(grouped(["bid 1", "bid 2", "pass"]).map((group) => [group.verb, group.moves.length])).toEqual([
      ["bid", 2],
      ["pass", 1],
    ]);
  });

  test("is found by its words or its notation, whatever the case and the accents", () => {
    const found = matching(
      ["lay R1 b3", "lay B2 a1"],
      (move) => (move === "lay R1 b3" ? "Pose rouge à b3" : move),
      "a b3",
    );
    expect(found).toEqual(["lay R1 b3"]);
  });
});
