/** What each seat did last, read off the latest events. */
import type { Happening } from "../../api/wire";
import { untouched, type LastCells } from "../traces";

/** The cells each seat did something on last: where it laid, and where its fly sat down after that. */
export function lastCells(recent: readonly Happening[], seats: number): LastCells {
  const last = untouched(seats);
  for (const { by, do: text } of recent) {
    const [verb, what = "", cell = ""] = (text ?? "").split(" ");
    if (by !== null && verb === "lay") last[by] = [cell];
    else if (by !== null && verb === "fly") last[by] = [...(last[by] ?? []), what];
  }
  return last;
}

/** The tile each seat has picked since the last tiles were drawn. */
export function picksOf(recent: readonly Happening[]): ReadonlyMap<number, string> {
  const drawn = recent.map((event) => event.by).lastIndexOf(null);
  const picks = recent.slice(drawn + 1).filter((event) => event.do?.startsWith("pick "));
  return new Map(picks.map((event) => [event.by ?? 0, event.do?.slice(5) ?? ""]));
}
