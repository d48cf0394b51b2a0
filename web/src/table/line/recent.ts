/** What was done lately, so that boards can mark it for whoever comes to look, also after a reload. */
import type { Happening } from "../../api/wire";

/** Events that a seat, or chance, has at most in about two rounds of any game. */
const EACH = 8;

/** The latest events up to a number, the newest last. */
export function recentOf(events: readonly Happening[], upTo: number, seats: number): readonly Happening[] {
  return events.filter((event) => event.n <= upTo).slice(-EACH * (seats + 1));
}
