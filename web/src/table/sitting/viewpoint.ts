/** From which seat a screen looks, when several people may share it. */
import type { State } from "../../api/wire";

/** What the screen does next: nothing, look from a seat, look as an onlooker, or be handed to a seat first. */
export type Step =
  | { readonly kind: "stay" }
  | { readonly kind: "look"; readonly seat: number | null }
  | { readonly kind: "hand-over"; readonly seat: number };

const STAY: Step = { kind: "stay" };

/** The next of my seats that must act, in turn order after `from`. */
export function nextOfMine(mine: readonly number[], acting: readonly number[], from: number | null): number | null {
  const waiting = mine.filter((seat) => acting.includes(seat));
  return waiting.find((seat) => seat > (from ?? -1)) ?? waiting[0] ?? null;
}

/**
 * Where to look next. A screen with one seat looks from it, always. A shared screen follows the seat that must act;
 * where something is secret it is handed over first, and nobody's things stay open once they have decided, unless
 * they have asked to look again.
 */
export function nextStep(mine: readonly number[], seat: number | null, state: State, asked = false): Step {
  const [only] = mine;
  if (mine.length < 2) return seat === (only ?? null) ? STAY : { kind: "look", seat: only ?? null };
  if (seat !== null && state.acting.includes(seat)) return STAY;
  const next = nextOfMine(mine, state.acting, seat);
  if (state.secret) return next === null && asked ? STAY : secretStep(next, seat);
  return next === null || next === seat ? STAY : { kind: "look", seat: next };
}

function secretStep(next: number | null, seat: number | null): Step {
  if (next !== null) return { kind: "hand-over", seat: next };
  return seat === null ? STAY : { kind: "look", seat: null };
}
