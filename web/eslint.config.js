import { readdirSync } from "node:fs";
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

/** The folders of `src`, the lowest first: each knows only those above it in this list. */
const layers = [
  "texts", // what is said, in six languages
  "browser", // what this browser knows by itself: the address, preferences, sound, whether the page is looked at
  "api", // the messages of the wire, and what is asked over HTTP
  "bots", // what bots are called and how they look
  "ui", // the kit: windows, fields, buttons, words for what went wrong
  "board", // the kit of boards: cells, tiles of glass, light
  "games", // one folder for each game
  "picture", // a position as a picture, also without a browser
  "clocks", // time that runs out: agreed on, counted down, said
  "fairness", // seals, nonces, and checking them
  "notices", // being told of one's turn while no page is open
  "table/line", // the table as it comes from the server; no document
  "table/words", // the table in words: names, sentences, moves as text
  "table/sitting", // what this screen shows of a table, and from which seat
  "table/people", // what people ask of each other and say: presence, proposals, chat, leaving
  "table/gather", // before the game: seats, links, who may come in
  "table/ending", // after it: the score, sharing it, playing again
  "table/play", // the game itself, and the page of a table
  "replay", // finished games, step by step
  "pages/parts", // what several pages show
  "pages/about",
  "pages/archive",
  "pages/new",
  "pages/lobby",
  "pages/home",
  "frame", // what is round every page, and which page an address shows
];

const games = readdirSync(new URL("src/games", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Forbid what lies below a folder to import from others, given as their paths seen from there. */
function without(folder, others) {
  const regex = `^(?:\\.\\.\\x2F)+(?:${others.map((other) => other.replace("/", "\\x2F")).join("|")})\\x2F`;
  const message = `src/${folder} does not know it: see the layers in eslint.config.js`;
  const selector = `ImportExpression > Literal[value=/${regex}/]`;
  return {
    files: [`src/${folder}/**`],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ regex, message }] }],
      "no-restricted-syntax": ["error", { selector, message }],
    },
  };
}

/** A folder as one beside it names it: within a room by its own name. */
function seenFrom(layer, other) {
  const room = layer.split("/")[0] + "/";
  return layer.includes("/") && other.startsWith(room) ? other.slice(room.length) : other;
}

const above = (layer) => layers.slice(layers.indexOf(layer) + 1).map((other) => seenFrom(layer, other));

const arrows = layers.filter((layer) => above(layer).length).map((layer) => without(layer, above(layer)));
/** Games do not know each other either. */
const strangers = games.map((game) =>
  without(`games/${game}`, [...above("games"), ...games.filter((other) => other !== game)]),
);

export default ts.config(
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
  { rules: { "svelte/no-at-html-tags": "error", "svelte/no-navigation-without-resolve": "off" } },
  ...arrows,
  ...strangers,
  { ignores: ["node_modules/", "src/api/wire.ts"] },
);
