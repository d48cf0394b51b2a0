import { beforeAll, expect, test } from "vitest";
import { awaited, others, showing, unanswered } from "../src/table/people/proposals";
import { t } from "../src/texts/texts.svelte";
import { inTime, notBefore } from "../src/texts/when";

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

test("when to try again is said in whole units, never as sooner than it helps", () => {
  expect([0, 1, 59, 60, 61, 3_480, 3_588, 5_400].map(notBefore)).toEqual([
    "in 1 second",
    "in 1 second",
    "in 59 seconds",
    "in 1 minute",
    "in 2 minutes",
    "in 58 minutes",
    "in 1 hour",
    "in 2 hours",
  ]);
});

test("others agree whose seat it is: people, and those whom somebody stands in for, but not whom it is about", () => {
  const seat = { kind: "person", owner: null, mine: false, claim: false };
  const [me, lent] = [
    { ...seat, mine: true },
    { ...seat, kind: "bot", owner: "Cy" },
  ];
  expect(others([me, seat], 1)).toEqual([]);
  expect(others([me, seat, seat], 1)).toEqual([2]);
  expect(others([me, seat, lent, { ...seat, kind: "bot" }], 1)).toEqual([2]);
  expect(others([me, seat, { ...lent, claim: true }], 1)).toEqual([]);
});

const away = { isVoter: false, isOwn: false, isFresh: false, isRead: false };

test("a question lies open before whoever has to answer, and is one line for all others", () => {
  const open = { outcome: "open" };
  expect(showing(open, { ...away, isVoter: true })).toBe("answer");
  expect(showing(open, { ...away, isOwn: true, isFresh: true })).toBe("folded");
  expect(showing(open, away)).toBe("folded");
  expect(showing(null, away)).toBeNull();
});

test("how it ended is told to all who saw it, and to whoever asked until they have read it", () => {
  expect(showing({ outcome: "agreed" }, { ...away, isFresh: true })).toBe("ended");
  expect(showing({ outcome: "late" }, away)).toBeNull();
  for (const outcome of ["declined", "lapsed", "late"]) {
    expect(showing({ outcome }, { ...away, isOwn: true })).toBe("kept");
    expect(showing({ outcome }, { ...away, isOwn: true, isRead: true })).toBeNull();
  }
  expect(showing({ outcome: "withdrawn" }, { ...away, isOwn: true })).toBeNull();
});
