/** Small scenes for the first page: what a board of each game looks like, and the order in which it fills. */
import { luckOf, type Colour, type Shape } from "../../board/glass";
import { sketchOf, type Sketch } from "../../games/look";

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

/** Give the stones that are to be laid an order that looks like a game's. */
function inOrder(stones: Stone[], seed: string): Stone[] {
  const luck = luckOf(seed);
  const drawn = stones.filter((stone) => stone.turn !== null).map((stone) => ({ stone, lot: luck() }));
  drawn.sort((one, two) => one.lot - two.lot).forEach(({ stone }, n) => (stone.turn = n));
  return stones;
}

/** The stones of a sketch; where some are capitals, the others lie flat for good. */
function stonesOf({ rows, kinds }: Sketch): Stone[] {
  const flat = rows.some((row) => row !== row.toLowerCase());
  return rows.flatMap((line, row) =>
    [...line].flatMap((sign, column): Stone[] => {
      const kind = kinds[sign.toLowerCase()];
      const turn = flat && sign === sign.toLowerCase() ? null : 0;
      return kind ? [{ column, row, colour: kind[0], shape: kind[1], flat, turn }] : [];
    }),
  );
}

/** Return the scene of a game. */
export function scene(game: string): Scene {
  const sketch = sketchOf(game);
  const stones = inOrder(stonesOf(sketch), game);
  const all = stones.filter((stone) => stone.turn !== null).length;
  const [columns, rows] = [sketch.rows[0]?.length ?? 1, sketch.rows.length];
  return { columns, rows, stones, first: Math.round(all * sketch.begun), all };
}
