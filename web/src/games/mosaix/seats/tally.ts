/** The score of a grid, drawn together from its items: for each symbol, areas × cells = points. */
import type { Item } from "../../../api/wire";
import { sumOf } from "../../points";
import { symbols } from "../pieces";

export interface Line {
  readonly symbol: string;
  readonly areas: number;
  readonly cells: number;
  readonly points: number;
  /** Whether all areas are in it; while the end is counted out, some are still to come. */
  readonly isWhole: boolean;
  readonly items: readonly Item[];
}

/** The items that are areas, counting or not. */
export function areasOf(items: readonly Item[]): readonly Item[] {
  return items.filter((item) => item.kind === "area" || item.kind === "small-area");
}

function lineOf(symbol: string, items: readonly Item[]): Line {
  const counting = items.filter((item) => item.kind === "area");
  return {
    symbol,
    areas: counting.length,
    cells: counting.reduce((sum, item) => sum + item.cells.length, 0),
    points: sumOf(counting),
    isWhole: counting.every((item) => item.values["areas"] === counting.length),
    items,
  };
}

/** A line for each symbol. */
export function tallyOf(items: readonly Item[]): Line[] {
  const areas = areasOf(items);
  return symbols.map((symbol) =>
    lineOf(
      symbol,
      areas.filter((item) => item.values["symbol"] === symbol),
    ),
  );
}
