/** Formations as they are drawn: their cells, how they turn, and where their symbols lie on a grid. */

export const side = 7;
export const formations = ["I", "O", "T", "S", "Z", "L", "J"] as const;
export type Formation = (typeof formations)[number];

/** A cell of a shape or of a grid, counted from 0; on a grid it may lie outside. */
export interface Place {
  readonly column: number;
  readonly row: number;
}

/** A shape after its turns, its cells in the order of the symbols. */
export interface Shape {
  readonly cells: readonly Place[];
  readonly width: number;
  readonly height: number;
}

/** So many quarter turns clockwise, and where the turned shape's top left corner lies, counted from 0. */
export interface Placement extends Place {
  readonly turns: number;
}

/** Where a symbol of a formation comes to lie. */
export interface Landed extends Place {
  readonly symbol: string;
  /** The cell's name, null outside the grid. */
  readonly cell: string | null;
}

const drawn: Record<Formation, readonly string[]> = {
  I: ["####"],
  O: ["##", "##"],
  T: ["###", ".#."],
  S: [".##", "##."],
  Z: ["##.", ".##"],
  L: ["..#", "###"],
  J: ["#..", "###"],
};

export function isFormation(name: string | null): name is Formation {
  return (formations as readonly (string | null)[]).includes(name);
}

function unturned(formation: Formation): Shape {
  const rows = drawn[formation];
  const cells = rows.flatMap((line, row) =>
    [...line].flatMap((mark, column) => (mark === "#" ? [{ column, row }] : [])),
  );
  return { cells, width: rows[0]?.length ?? 0, height: rows.length };
}

function quarter({ cells, width, height }: Shape): Shape {
  const moved = cells.map(({ column, row }) => ({ column: height - 1 - row, row: column }));
  return { cells: moved, width: height, height: width };
}

/** The shape after so many quarter turns clockwise; every symbol travels with its cell. */
export function turnedShape(formation: Formation, turns: number): Shape {
  return turns > 0 ? quarter(turnedShape(formation, turns - 1)) : unturned(formation);
}

/** The name of a cell, as "c5"; null outside the grid. */
export function cellName({ column, row }: Place): string | null {
  const inside = column >= 0 && column < side && row >= 0 && row < side;
  return inside ? `${"abcdefg"[column] ?? ""}${String(row + 1)}` : null;
}

/** The place of a cell with a name. */
export function cellPlace(name: string): Place {
  return { column: "abcdefg".indexOf(name[0] ?? ""), row: Number(name.slice(1)) - 1 };
}

/** Read "1 3,5" as it stands in a record, where columns and rows count from 1. */
export function readPlacement(text: string): Placement {
  const [turns, column, row] = text.split(/[ ,]/).map(Number);
  return { turns: turns ?? 0, column: (column ?? 1) - 1, row: (row ?? 1) - 1 };
}

/** Write a placement as it stands in a record. */
export function writePlacement({ turns, column, row }: Placement): string {
  return `${String(turns)} ${String(column + 1)},${String(row + 1)}`;
}

/** Where each symbol of an arranged formation lies when it is placed so. */
export function landing(formation: Formation, arrangement: string, placement: Placement): Landed[] {
  return turnedShape(formation, placement.turns).cells.map((cell, die) => {
    const place = { column: placement.column + cell.column, row: placement.row + cell.row };
    return { ...place, symbol: arrangement[die] ?? "", cell: cellName(place) };
  });
}
