/** Changes between two views, and how they are shown: tiles turn over, and fly between the mandala and the bowls. */
import type { PatternsView } from "../../../api/wire";
import { fly, pop, turn } from "../../../board/flight";
import { groupBySpace } from "../pieces";

/** A tile that has its back up now and had not before. */
export interface Turned {
  seat: number;
  cell: string;
  /** Another tile came here from the bowl. */
  isExchanged: boolean;
}

/** The tiles that were turned between two views. */
export function turnedBetween(before: PatternsView, after: PatternsView): Turned[] {
  return [...groupBySpace(after)].flatMap(([cell, { seat, group }]) => {
    const front = before.fronts[cell];
    return front === undefined ? [] : [{ seat, cell, isExchanged: front !== group.colour }];
  });
}

/** Whether tiles were dealt between two views. */
export function isDealt(before: PatternsView, after: PatternsView): boolean {
  return Object.keys(before.fronts).length === 0 && Object.keys(after.fronts).length > 0;
}

const AT_ONCE = 4; // more is a jump through the game, not something that happened

/** Show what was turned; the page is already as it is after. */
export function showTurned(root: Element, turned: readonly Turned[]): void {
  if (turned.length > AT_ONCE) return;
  for (const { cell, seat, isExchanged } of turned) {
    const tile = root.querySelector(`[data-tile="${cell}"]`);
    const bowl = root.querySelector(`[data-bowl="${String(seat)}"]`);
    if (!tile) continue;
    if (isExchanged && bowl) exchange(tile, bowl);
    else void turn(tile);
  }
}

function exchange(tile: Element, bowl: Element): void {
  const [here, there] = [tile.getBoundingClientRect(), bowl.getBoundingClientRect()];
  void fly(there, here, tile);
  void fly(here, there, bowl);
}

/** Show the deal, one row after the other. */
export function showDealt(root: Element): void {
  root.querySelectorAll("[data-tile]").forEach((tile, n) => void pop(tile, 280, n * 7));
}
