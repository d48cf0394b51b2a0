/** Take-backs: whose step can be taken back from this screen, and how. */
import type { Happening, State } from "../../api/wire";

/** A step that can be taken back: freely, or if the others agree. */
export interface Takeback {
  readonly seat: number;
  readonly free: boolean;
}

/** Whether an event of the game still counts. */
export function stands(event: Happening): boolean {
  return !event.back && event.gone === null;
}

/** Whether an event of the game counted when another one happened. */
export function stood(event: Happening, when: Happening): boolean {
  return !event.back && event.n < when.n && (event.gone === null || event.gone > when.n);
}

/** The step that somebody at this screen could take back: the last one of any of them. */
export function takeback(
  state: Pick<State, "back">,
  events: readonly Happening[],
  mine: readonly number[],
): Takeback | null {
  const own = events.filter((event) => stands(event) && event.by !== null && mine.includes(event.by));
  const seat = own[own.length - 1]?.by ?? null;
  const way = seat === null ? "" : (state.back[seat] ?? "");
  return seat === null || way === "" ? null : { seat, free: way === "free" };
}
