/** What a seat is asked to do now, read off what is legal: the actions by the space they are made on. */
import type { PatternsView } from "../../../api/wire";

export const actions = ["open", "flip", "swap"] as const;
export type Action = (typeof actions)[number];

export interface Choice {
  action: Action;
  cell: string;
}

/** An action on a space; null for other moves. */
export function choiceOf(move: string): Choice | null {
  const [verb, cell] = move.split(" ");
  const action = actions.find((known) => known === verb);
  return action && cell ? { action, cell } : null;
}

/** What can be done on each space. */
export function choicesBySpace(legal: readonly string[]): Map<string, Action[]> {
  const found = new Map<string, Action[]>();
  for (const choice of legal.map(choiceOf)) {
    if (choice) found.set(choice.cell, [...(found.get(choice.cell) ?? []), choice.action]);
  }
  return found;
}

/** How often each action can be done; only those that can. */
export function countsOf(legal: readonly string[]): { action: Action; count: number }[] {
  const chosen = legal.map(choiceOf);
  const counts = actions.map((action) => ({ action, count: chosen.filter((one) => one?.action === action).length }));
  return counts.filter(({ count }) => count > 0);
}

/** The action somebody most likely meant who pressed a space on which nothing can be done. */
export function likelyMeant(view: PatternsView, seat: number, cell: string): Action {
  const opened = (view.groups[seat] ?? []).map((group) => group.colour);
  const [here, held] = [view.fronts[cell] ?? "", view.bowls?.[seat] ?? ""];
  if (view.phase === "flipping" || opened.includes(here)) return "flip";
  return opened.includes(held) ? "swap" : "open";
}
