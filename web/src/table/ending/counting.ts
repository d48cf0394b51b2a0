/** The end, counted out line by line. */
import type { Item } from "../../api/wire";

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

/** The score after so many lines; what counts nothing is there from the beginning. */
export function countedOf(score: readonly Item[], done: number): Item[] {
  const counted = new Set(steps(score).slice(0, done));
  return score.filter((item) => item.points === 0 || counted.has(item));
}
