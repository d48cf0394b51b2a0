/** How games look from outside: a sign and a small scene each, light enough for the first page; boards stay away. */
import type { Colour, Shape } from "../board/glass";

/** A piece of glass: its colour, and what is inlaid. */
export type Kind = readonly [Colour, Shape];

/** A board drawn with letters. */
export interface Sketch {
  /** A letter a stone, anything else an empty place; where there are capitals, they are what is turned in the scene. */
  rows: readonly string[];
  /** What the letters stand for, in lower case. */
  kinds: Readonly<Record<string, Kind>>;
  /** The share that lies there when the scene begins. */
  begun: number;
}

const emblems = import.meta.glob<Kind>("./*/emblem.ts", { eager: true, import: "emblem" });
const sketches = import.meta.glob<Sketch>("./*/scene.ts", { eager: true, import: "scene" });

/** The stone that is a game's sign; a game these pages do not know has plain glass of ours. */
export function emblemOf(game: string): Kind {
  return emblems[`./${game}/emblem.ts`] ?? ["teal", "round"];
}

/** The scene of a game; one without a scene has a few of our stones. */
export function sketchOf(game: string): Sketch {
  const plain = { rows: ["a.aa", "aa.a", ".aaa", "aaa."], kinds: { a: emblemOf(game) }, begun: 0.5 };
  return sketches[`./${game}/scene.ts`] ?? plain;
}
