import { beforeAll, expect, test } from "vitest";
import { awaited, inTime, outcomeOf, unanswered } from "../src/table/asking";
import { t } from "../src/texts/texts.svelte";

beforeAll(() => {
  expect(t("consent.away")).toBe("consent.away"); // no catalogue is loaded: keys stand for texts
});

test("who has not answered is named, and whoever is away with a word about it", () => {
  expect(unanswered({ needed: [0, 1, 3], agreed: [1] })).toEqual([0, 3]);
  expect(awaited([0, 3], ["Ada", "Ben", "Cy", "Dee"], [true, true, true, true])).toBe("Ada and Dee");
  expect(awaited([0, 3], ["Ada", "Ben", "Cy", "Dee"], [true, true, true, false])).toBe("Ada and consent.away");
  expect(awaited([1], ["Ada", "Ben"])).toBe("Ben");
});

test("how long a question waits is said in whole units, never as longer than it is", () => {
  expect([0.2, 59, 61, 119, 3_700, 90_000].map(inTime)).toEqual([
    "in 1 second",
    "in 59 seconds",
    "in 1 minute",
    "in 1 minute",
    "in 1 hour",
    "in 1 day",
  ]);
});

test("what lapses has run out of time, or the game has moved on", () => {
  const lapsed = { outcome: "lapsed", until: 1_000 };
  expect(outcomeOf(lapsed, 999)).toBe("late");
  expect(outcomeOf(lapsed, 900)).toBe("lapsed");
  expect(outcomeOf({ ...lapsed, until: null }, 2_000)).toBe("lapsed");
  expect(outcomeOf({ ...lapsed, outcome: "declined" }, 2_000)).toBe("declined");
});
