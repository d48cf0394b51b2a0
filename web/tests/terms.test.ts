import { beforeAll, expect, test } from "vitest";
import { areWhole, asFinders, choices, findersOf, termsOf, usualTerms, type TermsDraft } from "../src/pages/new/terms";
import { t } from "../src/texts/texts.svelte";
import { mozaika } from "./infos";

const draft = (more: Partial<TermsDraft> = {}): TermsDraft => ({ ...usualTerms(mozaika), ...more });
const words = (terms: TermsDraft, isFixed = false, isListed = false) =>
  choices(mozaika, terms, isFixed, isListed).map((choice) => choice.words);
const unusual = (terms: TermsDraft) =>
  choices(mozaika, terms, false, false)
    .filter((choice) => !choice.isUsual)
    .map((choice) => choice.words);

beforeAll(() => {
  expect(t("new.more.anew")).toBe("new.more.anew"); // no catalogue is loaded: keys stand for texts
});

test("what most leave as it is asks the server for nothing, and is said to be usual", () => {
  expect(termsOf(draft())).toEqual({});
  expect(words(draft())).toEqual([
    "new.more.usual",
    "new.more.anew",
    "clock.none",
    "new.onlookers.link",
    "new.finders.link",
  ]);
  expect(unusual(draft())).toEqual([]);
});

test("each thing that is unusual is named", () => {
  expect(unusual(draft({ options: { hands: "hidden" } }))).toEqual(["hidden"]);
  expect(unusual(draft({ code: "Tuesday" }))).toEqual(["deal.by-code"]);
  expect(unusual(draft({ onlookers: "all" }))).toEqual(["new.onlookers.all"]);
  expect(unusual(draft({ clock: { ...draft().clock, choice: "slow-1" } }))).toEqual(["clock.slow"]);
});

test("where rules and deal are given nothing is said of them", () => {
  expect(words(draft({ code: "Tuesday" }), true)).toEqual(["clock.none", "new.onlookers.link", "new.finders.link"]);
  expect(choices({ ...mozaika, options: {} }, draft({ options: {} }), false, false)[0]?.words).toBe("new.more.anew");
});

test("a code that is blank and a clock without its numbers are not enough", () => {
  const own = { ...draft().clock, choice: "own" };
  expect(areWhole(draft({ code: " " }))).toBe(false);
  expect(areWhole(draft({ clock: { ...own, minutes: null } }))).toBe(false);
  expect(words(draft({ clock: { ...own, minutes: null } }))).toContain("clock.own");
  expect(areWhole(draft({ code: "Tuesday", clock: own }))).toBe(true);
  expect(termsOf(draft({ code: "Tuesday" }))).toEqual({ code: "Tuesday" });
});

test("who may find the game follows the table's doors, unless somebody has chosen otherwise", () => {
  expect([findersOf(draft(), false), findersOf(draft(), true)]).toEqual(["link", "all"]);
  expect([asFinders("link", false), asFinders("all", true)]).toEqual(["", ""]);
  expect([asFinders("players", false), asFinders("link", true)]).toEqual(["players", "link"]);
  const shy = draft({ finders: "players" });
  expect([findersOf(shy, true), termsOf(shy)]).toEqual(["players", { finders: "players" }]);
  expect(unusual(shy)).toEqual(["new.finders.players"]);
  expect(words(draft(), false, true).at(-1)).toBe("new.finders.all");
});
