/** What is different between two views, for showing it: tiles bought and laid, coins paid and earned. */
import type { MozaikaView } from "../../../api/wire";
import { cells, lying } from "../pieces";

export interface Laid {
  seat: number;
  cell: string;
  code: string;
}

export interface Changes {
  laid: Laid[];
  bought: { seat: number; code: string }[];
  flies: { seat: number; cell: string }[];
  coins: { seat: number; by: number }[];
}

/** Compare two views. */
export function changes(before: MozaikaView, after: MozaikaView): Changes {
  const seats = after.places.map((_, seat) => seat);
  return {
    laid: seats.flatMap((seat) => laidBy(before, after, seat)),
    bought: seats.flatMap((seat) => boughtBy(before, after, seat)),
    flies: seats.flatMap((seat) => fliesOf(before, after, seat)),
    coins: seats.map((seat) => ({ seat, by: coinsBy(before, after, seat) })).filter(({ by }) => by !== 0),
  };
}

function boardOf(view: MozaikaView, seat: number): readonly (readonly string[])[] {
  return view.places[seat]?.board ?? [];
}

function laidBy(before: MozaikaView, after: MozaikaView, seat: number): Laid[] {
  const [old, now] = [boardOf(before, seat), boardOf(after, seat)];
  const fresh = cells.filter((cell) => lying(old, cell) === "." && lying(now, cell) !== ".");
  return fresh.map((cell) => ({ seat, cell, code: lying(now, cell).slice(0, 2) }));
}

/** Tiles that left the display and are in the hand now, or have gone from there to the board already. */
function boughtBy(before: MozaikaView, after: MozaikaView, seat: number): { seat: number; code: string }[] {
  const hand = after.places[seat]?.hand ?? [];
  const old = [...(before.places[seat]?.hand ?? [])];
  const more = hand.filter((code) => !taken(old, code));
  return before.phase === "picking" ? more.map((code) => ({ seat, code })) : [];
}

/** Take one such tile out of the list; say whether there was one. */
function taken(list: string[], code: string): boolean {
  const at = list.indexOf(code);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

function fliesOf(before: MozaikaView, after: MozaikaView, seat: number): { seat: number; cell: string }[] {
  const [old, now] = [boardOf(before, seat), boardOf(after, seat)];
  const fresh = cells.filter((cell) => lying(now, cell).endsWith("*") && !lying(old, cell).endsWith("*"));
  return fresh.map((cell) => ({ seat, cell }));
}

function coinsBy(before: MozaikaView, after: MozaikaView, seat: number): number {
  return (after.places[seat]?.coins ?? 0) - (before.places[seat]?.coins ?? 0);
}
