/** The catalogues: the same keys in all languages, none missing, none unused, and no text outside of them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseMessage, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { parse, type AST } from "svelte/compiler";
import { describe, expect, it } from "vitest";
import { filesOf, messagesIn } from "../catalogue";
import { reasons } from "../src/api/wire";
import { languages } from "../src/texts/languages";

const source = join(import.meta.dirname, "../src");
const plurals: Record<string, string[]> = { pl: ["one", "few", "many", "other"] };

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

function catalogue(language: string): Record<string, string> {
  const parts = filesOf(language).map(messagesIn);
  const keys = parts.flatMap((part) => Object.keys(part));
  expect(new Set(keys).size, `keys that stand twice in ${language}`).toBe(keys.length);
  return Object.assign({}, ...parts) as Record<string, string>;
}

const catalogues = Object.fromEntries(languages.map((language) => [language, catalogue(language)]));
const english = catalogues["en"] ?? {};
const code = filesBelow(source).filter((file) => /\.(ts|svelte)$/.test(file) && !file.endsWith("wire.ts"));
const program = code.map((file) => readFileSync(file, "utf-8")).join("\n");

/** Names of the values of a message, and the categories of its plurals. */
function shape(message: string): { values: Set<string>; plurals: string[][] } {
  const values = new Set<string>();
  const found: string[][] = [];
  const walk = (parts: MessageFormatElement[]): void => {
    for (const part of parts) {
      if (part.type !== TYPE.literal && part.type !== TYPE.pound) values.add(part.value);
      if (part.type === TYPE.plural || part.type === TYPE.select) {
        if (part.type === TYPE.plural) found.push(Object.keys(part.options));
        for (const option of Object.values(part.options)) walk(option.value);
      }
    }
  };
  walk(parseMessage(message, { ignoreTag: true }));
  return { values, plurals: found };
}

describe.each(languages)("the catalogue of %s", (language) => {
  const texts = catalogues[language] ?? {};

  it("has exactly the keys of the English one", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  });

  it("uses the same values in every message", () => {
    for (const [key, message] of Object.entries(texts))
      expect([key, ...[...shape(message).values].sort()]).toEqual([
        key,
        ...[...shape(english[key] ?? "").values].sort(),
      ]);
  });

  it("has every category of number its language needs", () => {
    for (const [key, message] of Object.entries(texts))
      for (const categories of shape(message).plurals)
        for (const needed of plurals[language] ?? ["one", "other"]) expect([key, ...categories]).toContain(needed);
  });

  it("has a text for everything that can be refused", () => {
    for (const reason of reasons) expect(Object.keys(texts)).toContain(`reason.${reason}`);
  });
});

/** Keys that stand in the program as they are, and beginnings of keys that are put together. */
const literals = new Set([...program.matchAll(/["'`]([a-z][\w-]*(?:\.[\w-]+)+)["'`]/g)].map((match) => match[1] ?? ""));
const beginnings = [...program.matchAll(/["'`]([a-z][\w-]*(?:\.[\w-]+)*\.)(?:\$\{|["'])/g)].map(
  (match) => match[1] ?? "",
);

describe("French", () => {
  it("lets no line begin or end with a sign that belongs to a word", () => {
    const torn = Object.entries(catalogues["fr"] ?? {}).filter(([, message]) => / [?!;:»]|« /.test(message));
    expect(torn).toEqual([]);
  });
});

describe("the keys", () => {
  it("are all used", () => {
    const unused = Object.keys(english).filter(
      (key) => !literals.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
  });

  it("are all there", () => {
    const asked = [...program.matchAll(/\bt\(\s*["'`]([\w.-]+)["'`]/g)].map((match) => match[1] ?? "");
    expect(asked.filter((key) => !(key in english))).toEqual([]);
  });
});

const spoken = new Set([
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "title",
  "alt",
  "placeholder",
  "label",
]);

/** Words that stand in the markup itself. */
function strayTexts(file: string): string[] {
  const found: string[] = [];
  const note = (text: string): void => {
    if (/\p{L}{2,}/u.test(text)) found.push(text.trim());
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const part = node as AST.SvelteNode & Record<string, unknown>;
    if (part.type === "Attribute") {
      const values = Array.isArray(part.value) ? part.value : [];
      if (spoken.has(part.name)) for (const value of values) if (value.type === "Text") note(value.data);
      if (typeof part.value === "object" && !Array.isArray(part.value)) walk(part.value);
      return;
    }
    if (part.type === "StyleDirective" || part.type === "ClassDirective") return;
    if (part.type === "Text") note(part.data);
    for (const [key, value] of Object.entries(part)) if (key !== "metadata") walk(value);
  };
  walk(parse(readFileSync(file, "utf-8"), { modern: true }).fragment);
  return found;
}

describe("the pages", () => {
  it.each(code.filter((file) => file.endsWith(".svelte")).map((file) => [file.slice(source.length + 1), file]))(
    "%s has no text outside the catalogues",
    (_, file) => {
      expect(strayTexts(file ?? "")).toEqual([]);
    },
  );
});
