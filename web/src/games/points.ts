/** Points, added up from the lines of a score. */
import type { Item } from "../api/wire";

/** What these lines come to. */
export function sumOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.points, 0);
}

/** What a seat has; while the end is counted out, as far as it is counted. */
export function pointsOf(score: readonly Item[], seat: number): number {
  return sumOf(score.filter((item) => item.seat === seat));
}
