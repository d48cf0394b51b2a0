/** The bots people choose: each has a name, a sentence and a face. */
import { expect, it } from "vitest";
import { catalogueOf } from "../catalogue";
import { faces } from "../src/bots/faces";

const known = (beginning: string): string[] =>
  Object.keys(catalogueOf("en"))
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length - "level-".length));

it("has the same levels everywhere", () => {
  const levels = Object.keys(faces).sort();
  expect(levels.length).toBeGreaterThan(1);
  expect(known("bot.level-").sort()).toEqual(levels);
  expect(known("bot.what.level-").sort()).toEqual(levels);
});
