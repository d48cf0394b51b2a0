/** Small scenes for the first page: what a board of each game looks like, and the order in which it fills. */
import { luckOf, type Colour, type Shape } from "../board/glass";

/** A piece of glass in a scene. */
export interface Stone {
  column: number;
  row: number;
  colour: Colour;
  shape: Shape;
  /** Lies there from the beginning and is turned later, or never; others come from outside. */
  flat: boolean;
  /** When it is laid or turned; a stone that never is has none. */
  turn: number | null;
}

export interface Scene {
  columns: number;
  rows: number;
  stones: readonly Stone[];
  /** How many are laid at the beginning, and how many in all. */
  first: number;
  all: number;
}

type Kind = readonly [Colour, Shape];

const MOSAIX: Record<string, Kind> = { o: ["teal", "round"], t: ["orange", "triangle"], x: ["plum", "cross"] };
const MOSAIX_ROWS = ["oooooox", "xxxootx", "xoxtttx", "oooo.tx", "ottttox", "ttoxxoo", "xxxxxtx"];

const PATTERNS: Record<string, Kind> = {
  k: ["black", "diamond"],
  o: ["orange", "round"],
  g: ["green", "triangle"],
  l: ["light-blue", "square"],
  d: ["dark-blue", "star"],
  s: ["sand", "triangle-down"],
};
// Capitals are turned in the course of the scene.
const PATTERNS_ROWS = ["..sKKo..", ".gOOKdl.", "lGGOsKDD", "GGkoLLDs", "sKKLLoDg", "DdKOOsGG", ".lSSOkG.", "..SSlg.."];

const MOZAIKA: Record<string, Kind> = {
  a: ["red", "round"],
  b: ["red", "triangle"],
  d: ["red", "star"],
  f: ["blue", "triangle"],
  g: ["blue", "square"],
  h: ["blue", "star"],
  i: ["ochre", "round"],
  j: ["ochre", "triangle"],
  k: ["ochre", "square"],
  l: ["ochre", "star"],
};
const MOZAIKA_ROWS = ["aafg", "daff", "kkhj", "kilb"];

/** Give the stones that are to be laid an order that looks like a game's. */
function inOrder(stones: Stone[], seed: string): Stone[] {
  const luck = luckOf(seed);
  const drawn = stones.filter((stone) => stone.turn !== null).map((stone) => ({ stone, lot: luck() }));
  drawn.sort((one, two) => one.lot - two.lot).forEach(({ stone }, n) => (stone.turn = n));
  return stones;
}

function sceneOf(rows: readonly string[], kinds: Record<string, Kind>, seed: string, begun: number): Scene {
  const isFlat = rows.some((row) => row !== row.toLowerCase());
  const found = rows.flatMap((line, row) =>
    [...line].flatMap((sign, column): Stone[] => {
      const kind = kinds[sign.toLowerCase()];
      const turn = isFlat && sign === sign.toLowerCase() ? null : 0;
      return kind ? [{ column, row, colour: kind[0], shape: kind[1], flat: isFlat, turn }] : [];
    }),
  );
  const all = found.filter((stone) => stone.turn !== null).length;
  const stones = inOrder(found, seed);
  return { columns: rows[0]?.length ?? 1, rows: rows.length, stones, first: Math.round(all * begun), all };
}

/** Return the scene of a game; one without a scene has an empty board. */
export function scene(game: string): Scene {
  if (game === "mosaix") return sceneOf(MOSAIX_ROWS, MOSAIX, "mosaix", 0.55);
  if (game === "patterns") return sceneOf(PATTERNS_ROWS, PATTERNS, "patterns", 0.35);
  if (game === "mozaika") return sceneOf(MOZAIKA_ROWS, MOZAIKA, "mozaika", 0.6);
  return { columns: 4, rows: 4, stones: [], first: 0, all: 0 };
}
