/** Symbols and formations as they are drawn: their glass, their cells, and where they lie on a grid. */
import type { Colour, Shape as Inlay } from "../../board/glass";
import { cellAt, cellName as nameOf, columnsOf } from "../cells";
import { components } from "./components";

export const { side, boxes, area, goals } = components;
export const columns = columnsOf(side);

// --- Symbols

/** A symbol as glass. */
export interface SymbolGlass {
  readonly colour: Colour;
  readonly shape: Inlay;
}

const glasses: Readonly<Record<string, SymbolGlass>> = components.symbols;
export const symbols = Object.keys(glasses);

/** The glass of a symbol. */
export function glassOf(symbol: string): SymbolGlass {
  return glasses[symbol] ?? components.symbols.o;
}

// --- Formations

export type Formation = keyof typeof components.formations;
export const formations = Object.keys(components.formations) as Formation[];

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

export function isFormation(name: string | null): name is Formation {
  return name !== null && name in components.formations;
}

/** The shape after so many quarter turns clockwise; every symbol travels with its cell. */
export function turnedShape(formation: Formation, turns: number): Shape {
  const cells = (components.formations[formation][turns] ?? []).map(([column, row]) => ({ column, row }));
  const length = (counted: number[]): number => Math.max(...counted) + 1;
  return { cells, width: length(cells.map(({ column }) => column)), height: length(cells.map(({ row }) => row)) };
}

/** The name of a cell, as "c5"; null outside the grid. */
export function cellName({ column, row }: Place): string | null {
  const isInside = column >= 0 && column < side && row >= 0 && row < side;
  return isInside ? nameOf(column, row) : null;
}

/** The place of a cell with a name. */
export function cellPlace(name: string): Place {
  const [column, row] = cellAt(name);
  return { column, row };
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
