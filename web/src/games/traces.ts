/** Traces of the last moves, as every game's `traces.ts` tells them. */

/** By seat: the cells it did something on last; none if it has not, or did something without cells since. */
export type LastCells = readonly (readonly string[])[];

/** Nothing done yet, by seat. */
export function untouched(seats: number): (readonly string[])[] {
  return Array.from({ length: seats }, () => []);
}
