/** Quick match: the settings used last for a game, kept in this browser. */
import type { GameInfo, NewTable, Quick, Terms } from "../../api/wire";
import { leastSeats } from "./drafts";

export type Settings = Pick<Required<Quick>, "seats" | "options" | "terms">;

const KEY = "quick";
/** What is agreed at one table only, and not wished for at the next one. */
const ONCE: readonly string[] = ["language", "code", "finders"];

function stored(): Record<string, Partial<Settings> | undefined> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Record<string, Partial<Settings>>) : {};
  } catch {
    return {};
  }
}

/** Keep the settings of a table with company for the next quick match. */
export function remember({ game, seats, options = {}, terms = {} }: NewTable): void {
  if (seats.length < 2) return;
  const lasting = Object.fromEntries(Object.entries(terms).filter(([name]) => !ONCE.includes(name))) as Terms;
  const settings: Settings = { seats: seats.length, options, terms: lasting };
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [game]: settings }));
  } catch {
    // Then the next quick match is an ordinary one.
  }
}

/** The settings used last, as far as the game still knows them; before there are any, what is usual. */
export function lastSettings(info: GameInfo): Settings {
  const found = stored()[info.name] ?? {};
  const seats = found.seats !== undefined && found.seats > 1 && info.seats.includes(found.seats);
  const options = Object.entries(info.options).map(([option, values]) => {
    const chosen = found.options?.[option] ?? "";
    return [option, values.includes(chosen) ? chosen : (values[0] ?? "")];
  });
  const terms = typeof found.terms === "object" ? found.terms : {};
  return {
    seats: seats ? (found.seats ?? 2) : leastSeats(info),
    options: Object.fromEntries(options) as Record<string, string>,
    terms,
  };
}
