/** The end, counted out line by line. */
import type { Item } from "../api/wire";

const A_LINE = 600;
const LONGEST = 12_000;

/** The lines worth showing one by one: those that count something. */
export function steps(score: readonly Item[]): Item[] {
  return score.filter((item) => item.points !== 0);
}

/** How long each of so many lines is shown, in milliseconds. */
export function pauses(lines: number): number {
  return Math.min(A_LINE, LONGEST / Math.max(1, lines));
}

/** What each seat has after so many lines. */
export function runningTotals(lines: readonly Item[], done: number, seats: number): number[] {
  const totals = new Array<number>(seats).fill(0);
  for (const item of lines.slice(0, done)) totals[item.seat] = (totals[item.seat] ?? 0) + item.points;
  return totals;
}
