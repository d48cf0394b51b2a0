/** The mandala: its 52 spaces, the six kinds of tiles, and what lies where. */
import type { PatternsGroup, PatternsView } from "../../api/wire";
import type { Colour, Shape } from "../../board/glass";
import { cellAt, columnsOf } from "../cells";
import { components } from "./components";

export interface Space {
  name: string;
  column: number;
  row: number;
}

export const letters = columnsOf(components.side);

/** All spaces in reading order. */
export const spaces: readonly Space[] = components.rows.flat().map((name) => {
  const [column, row] = cellAt(name);
  return { name, column, row };
});

/** Whether the mandala has a space here. */
export function hasSpace(column: number, row: number): boolean {
  return spaces.some((space) => space.column === column && space.row === row);
}

/** A kind of tile is told by its colour and by its shape. */
export interface Kind {
  colour: Colour;
  shape: Shape;
}

const kinds: Readonly<Record<string, Kind>> = components.tiles;

/** A marker for each colour, from 1 on. */
export const markers = Object.keys(kinds).map((_, n) => n + 1);

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
