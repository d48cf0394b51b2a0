/** English as Python says it: every message with many values, the same as the pages make of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { expect, it } from "vitest";
import { catalogueOf } from "../catalogue";
import { notBefore } from "../src/texts/when";

type Tried = [values: Record<string, string | number>, said: string][];

const english = catalogueOf("en");
const file = join(import.meta.dirname, "../../tests/data/sentences.json");
const sentences = Object.entries(JSON.parse(readFileSync(file, "utf-8")) as Record<string, Tried>);

it.each(sentences)("%s", (key, tried) => {
  const message = new IntlMessageFormat(english[key] ?? "", "en", undefined, { ignoreTag: true });
  expect(tried.length).toBeGreaterThan(0);
  for (const [values, said] of tried) expect(message.format(values)).toBe(said);
});

it.each([
  [0, "in 1 second"],
  [59, "in 59 seconds"],
  [61, "in 2 minutes"],
  [3541, "in 1 hour"],
  [7201, "in 3 hours"],
])("%i seconds", (seconds, said) => {
  expect(notBefore(seconds)).toBe(said);
});
