/** Clocks on the pages: what a form means, how time is told, when it is worth a word. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock, Clocks } from "../src/api/wire";
import { clockDraft, clockOf, digits, fits, hasteOf, isClock, parts, passed, timeTerms } from "../src/clocks/clock";
import { Countdown } from "../src/clocks/countdown.svelte";

const live: Clock = { kind: "live", seconds: 300, increment: 5 };
const slow: Clock = { kind: "slow", seconds: 86_400 };
const bots = ["level-1", "level-3", "level-4"];

describe("the clock of a new table", () => {
  it("is none to begin with, and then nothing is agreed", () => {
    expect(timeTerms(clockDraft(bots))).toEqual({});
  });

  it("is one of the usual, with what happens when it runs out", () => {
    const draft = { ...clockDraft(bots), choice: "live-5", late: "seat" as const };
    expect(timeTerms(draft)).toEqual({ clock: live, late: "seat", stand_in: "level-4" });
    expect(clockOf({ ...draft, choice: "slow-3" })).toEqual({ kind: "slow", seconds: 259_200 });
  });

  it("is what somebody types", () => {
    const own = { ...clockDraft(bots), choice: "own" };
    expect(clockOf({ ...own, minutes: 3, increment: 2 })).toEqual({ kind: "live", seconds: 180, increment: 2 });
    expect(clockOf({ ...own, kind: "slow", count: 8, unit: "hours" })).toEqual({ kind: "slow", seconds: 28_800 });
  });

  it("is refused where it cannot be played with, and only then", () => {
    const own = { ...clockDraft(bots), choice: "own" };
    expect(isClock(own)).toBe(true);
    expect(isClock({ ...own, minutes: null })).toBe(false);
    expect(isClock({ ...own, minutes: 2.5 })).toBe(false);
    expect(isClock({ ...own, increment: -1 })).toBe(false);
    expect(isClock({ ...own, kind: "slow", minutes: null })).toBe(true);
    expect(isClock({ ...own, kind: "slow", count: 31 })).toBe(false);
    expect(isClock({ ...own, choice: "none", minutes: null })).toBe(true);
    expect([fits(720, "hours"), fits(721, "hours")]).toEqual([true, false]);
  });
});

describe("time that is left", () => {
  it("is told in its two largest units", () => {
    expect(parts(86_400 * 2 + 3_600 * 5 + 59)).toEqual([
      [2, "day"],
      [5, "hour"],
    ]);
    expect(parts(300)).toEqual([[5, "minute"]]);
    expect(parts(86_400 + 59)).toEqual([[1, "day"]]);
    expect(parts(0)).toEqual([[0, "second"]]);
  });

  it("is shown in digits, and never as nothing before it is out", () => {
    expect([3_661, 3_599, 61, 9.1, 0.01, 0, -1].map(digits)).toEqual([
      "1:01:01",
      "59:59",
      "1:01",
      "0:10",
      "0:01",
      "0:00",
      "0:00",
    ]);
  });

  it("is little in time", () => {
    expect([300, 60, 10].map((left) => hasteOf(left, live))).toEqual(["calm", "low", "last"]);
    expect([86_000, 10_000, 600].map((left) => hasteOf(left, slow))).toEqual(["calm", "low", "last"]);
  });

  it("is said at a few marks, once, also where several are passed in one go", () => {
    expect(passed(61, 60, live)).toBe(60);
    expect(passed(60, 59, live)).toBeNull();
    expect(passed(200, 5, live)).toBe(10);
    expect(passed(5, 200, live)).toBeNull();
    expect(passed(3_601, 3_599, slow)).toBe(3_600);
    expect(passed(31, 30, slow)).toBeNull();
  });
});

describe("a countdown", () => {
  const told = (more: Partial<Clocks>): Clocks => ({
    t: "clocks",
    n: 1,
    at: 0,
    left: [60, 30, null],
    running: [1],
    paused: false,
    late: [null, null, null],
    ...more,
  });
  let countdown: Countdown;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    countdown = new Countdown();
  });
  afterEach(() => {
    countdown.stop();
    vi.useRealTimers();
  });

  it("counts down whose time runs, without hearing from the server", () => {
    countdown.take(told({}));
    vi.advanceTimersByTime(10_000);
    expect([0, 1, 2].map((seat) => countdown.left(seat))).toEqual([60, 20, null]);
    vi.advanceTimersByTime(60_000);
    expect(countdown.left(1)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is set right by what the server tells", () => {
    countdown.take(told({}));
    vi.advanceTimersByTime(5_000);
    countdown.take(told({ left: [60, 27, null] }));
    vi.advanceTimersByTime(1_000);
    expect(countdown.left(1)).toBe(26);
    countdown.take(told({ left: [60, 25, null], running: [], paused: true }));
    vi.advanceTimersByTime(9_000);
    expect(countdown.left(1)).toBe(25);
    expect(vi.getTimerCount()).toBe(0);
  });
});
