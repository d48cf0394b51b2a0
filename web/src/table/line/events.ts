/** What happened in a game, as it is told bit by bit. */
import type { Happening } from "../../api/wire";

/** Events by number, newer tellings of an event replacing older ones. */
export function merged(known: readonly Happening[], told: readonly Happening[]): Happening[] {
  const byNumber = new Map(known.map((event) => [event.n, event]));
  for (const event of told) byNumber.set(event.n, event);
  return [...byNumber.values()].sort((one, other) => one.n - other.n);
}
