/** The arrows between the folders of the pages: that they are checked, wherever a module lies. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const web = join(import.meta.dirname, "..");
const source = join(web, "src");
const eslint = new ESLint({ cwd: web });

/** Every folder with modules in it but the frame, which is above them all. */
const folders = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
  .map((entry) => relative(source, entry.parentPath))
  .filter((folder, n, all) => folder !== "" && folder !== "frame" && all.indexOf(folder) === n);

/** A module that imports another one, and how its own name ends. */
type Way = (path: string) => { text: string; ending: string };

const plainly: Way = (path) => ({ text: `import "${path}";\n`, ending: "ts" });
const ways: [string, Way][] = [
  ["a plain import", plainly],
  ["an import of types", (path) => ({ text: `import type { Other } from "${path}";\n`, ending: "ts" })],
  ["an import later", (path) => ({ text: `void import("${path}");\n`, ending: "ts" })],
  ["a component", (path) => ({ text: `<script>\n  import "${path}";\n</script>\n`, ending: "svelte" })],
];

/** Whether a module in one folder may import one of another; from within a room by its shortest path. */
async function allows(from: string, to: string, way: Way = plainly): Promise<boolean> {
  const { text, ending } = way(join(relative(from, to), "other"));
  const [found] = await eslint.lintText(text, { filePath: join(source, from, `module.${ending}`) });
  const forbidden = ["no-restricted-imports", "no-restricted-syntax"];
  return !found?.messages.some(({ ruleId }) => forbidden.includes(ruleId ?? ""));
}

/** From above to below. */
const pairs = [
  ["ui", "texts"],
  ["games/mosaix", "board"],
  ["table/words", "games"],
  ["table/play", "table/line"],
  ["replay", "table/play"],
  ["pages/home", "table/line"],
  ["pages/home", "pages/parts"],
  ["frame", "pages/home"],
] as const;

describe.each(pairs)("%s", (upper, lower) => {
  it(`knows ${lower}`, async () => {
    expect(await allows(upper, lower)).toBe(true);
  });

  it.each(ways)("is not known there, by %s", async (_, way) => {
    expect(await allows(lower, upper, way)).toBe(false);
  });
});

describe("a game", () => {
  it.each(ways)("knows what all share, and no other game, by %s", async (_, way) => {
    expect(await allows("games/mosaix", "games", way)).toBe(true);
    expect(await allows("games/mosaix", "games/patterns", way)).toBe(false);
  });
});

describe("every folder", () => {
  it.each(folders)("has its place: %s does not know the frame", async (folder) => {
    expect(await allows(folder, "frame")).toBe(false);
  });
});
