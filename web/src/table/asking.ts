/** What is asked at a table, in words: who has not answered yet, and until when it waits. */
import type { Proposed } from "../api/wire";
import { current, t } from "../texts/texts.svelte";
import { listed } from "./names";

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The seats that have not answered yet. */
export function unanswered({ needed, agreed }: Pick<Proposed, "needed" | "agreed">): number[] {
  return needed.filter((seat) => !agreed.includes(seat));
}

/** These people as one phrase, with a word about those who are not there to answer. */
export function awaited(seats: readonly number[], names: readonly string[], here: readonly boolean[] = []): string {
  const told = seats.map((seat) => {
    const name = names[seat] ?? "";
    return here[seat] === false ? t("consent.away", { name }) : name;
  });
  return listed(told);
}

/** When it will be: "in 3 minutes"; rounded down, so that nobody counts on time that is not there. */
export function inTime(seconds: number): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ["second", 1];
  const format = new Intl.RelativeTimeFormat(current(), { numeric: "always" });
  return format.format(Math.max(1, Math.floor(seconds / length)), unit);
}

/** Our idea of the server's time may be wrong by so many seconds. */
const BLUR = 2;

/** How a proposal ended, as a key: what lapses has run out of time, or the game has moved on. */
export function outcomeOf({ outcome, until }: Pick<Proposed, "outcome" | "until">, now: number): string {
  return outcome === "lapsed" && until !== null && now >= until - BLUR ? "late" : outcome;
}
