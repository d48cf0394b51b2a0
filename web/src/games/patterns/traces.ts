/** Where each seat did something last, read off the latest events. */
import type { Happening } from "../../api/wire";
import { untouched, type LastCells } from "../traces";
import { choiceOf } from "./turn/choices";

/** The space each seat did something on last. */
export function lastCells(recent: readonly Happening[], seats: number): LastCells {
  const last = untouched(seats);
  for (const { by, do: text } of recent) {
    const choice = choiceOf(text ?? "");
    if (by !== null && choice) last[by] = [choice.cell];
  }
  return last;
}
