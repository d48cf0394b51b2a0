/** Keys of the board: which command a key gives. */
import type { Action } from "./turn/choices";

/** Letters, so the same in every language: an action is chosen, or what is forbidden is shown. */
const commands: Record<string, Action | "forbidden"> = { o: "open", f: "flip", s: "swap", x: "forbidden" };

/** The command of a key, null if it has none. */
export function commandOf(event: KeyboardEvent): Action | "forbidden" | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  return commands[event.key] ?? null;
}
