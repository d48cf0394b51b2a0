/** Which cells each seat wrote last, read off the latest events. */
import type { Happening } from "../../api/wire";
import { untouched, type LastCells } from "../traces";
import { isFormation, landing, readPlacement } from "./pieces";

/** The cells each seat wrote last; none for one that passed since. */
export function lastCells(recent: readonly Happening[], seats: number): LastCells {
  const last = untouched(seats);
  let form: readonly string[] = [];
  for (const { by, do: text } of recent) {
    const [verb, ...words] = (text ?? "").split(" ");
    if (verb === "form") form = words;
    else if (by !== null && (verb === "place" || verb === "pass")) last[by] = landed(form, words.join(" "));
  }
  return last;
}

function landed([formation = "", arrangement = ""]: readonly string[], placement: string): string[] {
  if (!isFormation(formation) || !placement) return [];
  return landing(formation, arrangement, readPlacement(placement)).flatMap(({ cell }) => cell ?? []);
}

/** Whether a seat has just written. */
export function hasWritten(fresh: readonly Happening[], seat: number): boolean {
  return fresh.some(({ by, do: text }) => by === seat && text?.startsWith("place "));
}
