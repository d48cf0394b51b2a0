/** Tiles and cells as the view writes them: "R1", "R1*" with a fly, "." for an empty cell; cells from a1 to d4. */
import type { MozaikaPlace } from "../../api/wire";
import { cellAt, cellName, columnsOf } from "../cells";
import { components } from "./components";

export const { side, rounds, hand } = components;
export const columns = columnsOf(side);

export { cellAt, cellName };

/** The glass and the inlaid shape of a tile; the cut of its face tells the colour a second time. */
export const { colours: glass, symbols: shape } = components;

export interface Piece {
  code: string;
  colour: keyof typeof glass;
  symbol: keyof typeof shape;
  fly: boolean;
}

/** Read a tile; null for an empty cell. */
export function pieceOf(text: string): Piece | null {
  if (text === ".") return null;
  const colour = text[0] as Piece["colour"];
  return { code: text.slice(0, 2), colour, symbol: text[1] as Piece["symbol"], fly: text.endsWith("*") };
}

/** What lies on a cell of a board, as the view writes it. */
export function lying(board: MozaikaPlace["board"], cell: string): string {
  const [column, row] = cellAt(cell);
  return board[row]?.[column] ?? ".";
}

/** All cells, row by row. */
export const cells: readonly string[] = columns.flatMap((_, row) => columns.map((_, column) => cellName(column, row)));

/** The cells with their columns and rows, for drawing them. */
export const places = cells.map((name) => {
  const [column, row] = cellAt(name);
  return { name, column, row };
});
