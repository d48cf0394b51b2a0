/** Names of cells: a column letter from the left and a row number from the top. */
import { components } from "../board/components";

const letters: readonly string[] = components.columns;

/** The letters of so many columns. */
export function columnsOf(side: number): readonly string[] {
  return letters.slice(0, side);
}

/** The name of a cell, from its column and row. */
export function cellName(column: number, row: number): string {
  return (letters[column] ?? "") + String(row + 1);
}

/** The column and row of a cell. */
export function cellAt(name: string): [column: number, row: number] {
  return [letters.indexOf(name.charAt(0)), Number(name.slice(1)) - 1];
}
