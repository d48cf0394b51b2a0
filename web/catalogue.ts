/** Where the texts lie, for what builds and checks the pages: those of the pages alone, and those Python says too. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folders = {
  pages: join(import.meta.dirname, "src/texts"),
  python: join(import.meta.dirname, "../src/smalti"),
};

/** The games that have a board in the pages; others speak English only. */
const drawn = readdirSync(join(import.meta.dirname, "src/games"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** The files of a language: a folder of the pages, and one file of each package that speaks. */
export function filesOf(language: string): string[] {
  const own = readdirSync(join(folders.pages, language)).map((name) => join(folders.pages, language, name));
  const speaking = ["engine", "server", ...drawn.map((game) => join("games", game))];
  return [...own, ...speaking.map((folder) => join(folders.python, folder, "texts", `${language}.json`))];
}

/** The messages of a file. */
export function messagesIn(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, "utf-8")) as Record<string, string>;
}

/** All messages of a language. */
export function catalogueOf(language: string): Record<string, string> {
  return Object.assign({}, ...filesOf(language).map(messagesIn)) as Record<string, string>;
}

/** The file of a game's messages. */
export function fileOfGame(game: string, language: string): string {
  return join(folders.python, "games", game, "texts", `${language}.json`);
}

/** A file as the bundler names it. */
export function chunkOf(file: string): string {
  return relative(import.meta.dirname, file).replaceAll("\\", "/");
}
