/** What a seat is asked to do now, read off what is legal. */
import type { MosaixView } from "../../../api/wire";

export interface TurnOptions {
  /** Arrange the dice and announce a formation. */
  readonly forming: boolean;
  /** Write the announced formation. */
  readonly writing: boolean;
  readonly mustPass: boolean;
  readonly canStop: boolean;
  /** The formations that may be announced. */
  readonly formations: readonly string[];
  /** The orders the dice may be arranged in. */
  readonly arrangements: readonly string[];
  /** Where the announced formation may be written. */
  readonly places: readonly string[];
}

function after(verb: string, legal: readonly string[]): string[] {
  return legal.filter((move) => move.startsWith(`${verb} `)).map((move) => move.slice(verb.length + 1));
}

/** Read off what is asked of a seat; nothing of an onlooker. */
export function optionsOf(view: MosaixView, seat: number | null, legal: readonly string[]): TurnOptions {
  const own = seat === null ? [] : legal;
  const forms = after("form", own).map((form) => form.split(" "));
  const places = after("place", own);
  return {
    forming: view.phase === "forming" && forms.length > 0,
    writing: view.phase === "writing" && places.length > 0,
    mustPass: own.includes("pass"),
    canStop: own.includes("stop"),
    formations: [...new Set(forms.map(([formation]) => formation ?? ""))],
    arrangements: [...new Set(forms.map(([, arrangement]) => arrangement ?? ""))],
    places,
  };
}
