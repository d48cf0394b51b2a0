/** Tiles and cells as the view writes them: "R1", "R1*" with a fly, "." for an empty cell; cells from a1 to d4. */
import type { MozaikaPlace } from "../../api/wire";

export const SIDE = 4;
export const ROUNDS = 16;
export const HAND = 4;

/** The glass and the inlaid shape of a tile; the cut of its face tells the colour a second time. */
export const glass = { R: "red", B: "blue", Y: "ochre" } as const;
export const shape = { "1": "round", "2": "triangle", "3": "square", "4": "star" } as const;

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

/** The name of a cell, from its column and row. */
export function cellName(column: number, row: number): string {
  return "abcd".charAt(column) + String(row + 1);
}

/** The column and row of a cell. */
export function cellAt(name: string): [number, number] {
  return ["abcd".indexOf(name.charAt(0)), Number(name.charAt(1)) - 1];
}

/** What lies on a cell of a board, as the view writes it. */
export function lying(board: MozaikaPlace["board"], cell: string): string {
  const [column, row] = cellAt(cell);
  return board[row]?.[column] ?? ".";
}

/** All cells, row by row. */
export const cells: readonly string[] = Array.from({ length: SIDE * SIDE }, (_, n) =>
  cellName(n % SIDE, Math.floor(n / SIDE)),
);

/** The cells with their columns and rows, for drawing them. */
export const places = cells.map((name) => {
  const [column, row] = cellAt(name);
  return { name, column, row };
});
