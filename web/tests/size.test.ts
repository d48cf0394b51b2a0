/** The first page has to be there at once: everything it runs, as it travels. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkOf, filesOf } from "../catalogue";
import { languages } from "../src/texts/languages";

const MOST = 120_000; // bytes of JavaScript, compressed
const PATIENCE = 180_000;

interface Chunk {
  file: string;
  imports?: string[];
}

const web = join(import.meta.dirname, "..");
const built = mkdtempSync(join(tmpdir(), "smalti-size-"));
let chunks: Record<string, Chunk> = {};

/** Built in a process of its own: under a test, Svelte would be built for looking for faults. */
function build(): void {
  const vite = join(web, "node_modules/vite/bin/vite.js");
  const options = ["--outDir", built, "--emptyOutDir", "--manifest", "chunks.json", "--logLevel", "error"];
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync(process.execPath, [vite, "build", ...options], { cwd: web, env, stdio: "pipe" });
  chunks = JSON.parse(readFileSync(join(built, "chunks.json"), "utf-8")) as Record<string, Chunk>;
}

/** A chunk and all that is loaded with it, by their files. */
function withImports(key: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[key];
  if (!chunk) throw new Error(`nothing was built from ${key}`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) withImports(other, found);
  return found;
}

/** The files of the first page in a language. */
function firstPage(language: string): string[] {
  const texts = filesOf(language).map(chunkOf);
  const keys = ["index.html", "src/pages/home/HomePage.svelte", "src/pages/home/Scene.svelte", ...texts];
  return [...new Set(keys.flatMap((key) => [...withImports(key)]))];
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file))).length, 0);
}

beforeAll(build, PATIENCE);
afterAll(() => rmSync(built, { recursive: true, force: true }));

describe("the JavaScript of the first page", () => {
  it.each(languages)("is small in %s", (language) => {
    const size = sizeOf(firstPage(language));
    console.info(`first page in ${language}: ${(size / 1000).toFixed(1)} kB of JavaScript, compressed`);
    expect(size).toBeLessThan(MOST);
  });

  it("has no board in it", () => {
    const boards = Object.keys(chunks).filter((key) => /^src\/games\/[^/]+\/index\.ts$/.test(key));
    const files = firstPage("en");
    expect(boards.length).toBeGreaterThan(0);
    expect(boards.filter((key) => files.includes(chunks[key]?.file ?? ""))).toEqual([]);
  });
});
