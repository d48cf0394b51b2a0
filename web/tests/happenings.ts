/** Events as a page is told them, with nothing special about them unless a test says so. */
import type { Happening } from "../src/api/wire";

export function happening(n: number, by: number | null, move: string | null, more: Partial<Happening> = {}): Happening {
  return { n, by, do: move, at: 0, id: null, seal: null, back: false, gone: null, late: false, ...more };
}

/** Events one after the other: who did what. */
export function told(...moves: [by: number | null, move: string | null][]): Happening[] {
  return moves.map(([by, move], index) => happening(index + 1, by, move));
}
