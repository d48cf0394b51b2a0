/** The mandala: its 52 spaces, the six kinds of tiles, and what lies where. */
import type { PatternsGroup, PatternsView } from "../../api/wire";
import type { Colour, Shape } from "../../board/glass";

export interface Space {
  name: string;
  column: number;
  row: number;
}

/** How many cells are missing at each end of a row. */
const missing = [2, 1, 0, 0, 0, 0, 1, 2];
export const letters = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

/** Whether the mandala has a space here. */
export function hasSpace(column: number, row: number): boolean {
  const gap = missing[row] ?? 8;
  return column >= gap && column < 8 - gap;
}

/** All spaces in reading order. */
export const spaces: readonly Space[] = missing.flatMap((_, row) =>
  letters.flatMap((letter, column) =>
    hasSpace(column, row) ? [{ name: `${letter}${String(row + 1)}`, column, row }] : [],
  ),
);

/** Column and row of a space, counted from 0. */
export function placeOf(name: string): [number, number] {
  return [name.charCodeAt(0) - 97, Number(name[1]) - 1];
}

/** A kind of tile is told by its colour and by its shape. */
export interface Kind {
  colour: Colour;
  shape: Shape;
}

const kinds: Record<string, Kind> = {
  K: { colour: "black", shape: "diamond" },
  O: { colour: "orange", shape: "round" },
  G: { colour: "green", shape: "triangle" },
  L: { colour: "light-blue", shape: "square" },
  D: { colour: "dark-blue", shape: "star" },
  S: { colour: "sand", shape: "triangle-down" },
};
const unknown: Kind = { colour: "black", shape: "cross" };

export function kindOf(letter: string): Kind {
  return kinds[letter] ?? unknown;
}

/** A group with whose it is. */
export interface Owned {
  seat: number;
  group: PatternsGroup;
}

/** All groups of both seats. */
export function groupsOf(view: PatternsView): Owned[] {
  return view.groups.flatMap((groups, seat) => groups.map((group) => ({ seat, group })));
}

/** The group on each space with its back up. */
export function groupBySpace(view: PatternsView): Map<string, Owned> {
  return new Map(groupsOf(view).flatMap((owned) => owned.group.cells.map((cell) => [cell, owned])));
}

/** What a seat's groups are worth together. */
export function worthOf(view: PatternsView, seat: number): number {
  return (view.groups[seat] ?? []).reduce((sum, group) => sum + group.worth, 0);
}
