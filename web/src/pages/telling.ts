/** Tables in words: who sits there, when something happened. */
import type { Seat } from "../api/wire";
import { current, t } from "../texts/texts.svelte";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const LONG_AGO = 7 * 86_400;

/** Who sits on a seat, in words. */
export function sitter(seat: Seat): string {
  if (seat.kind === "bot") return t(`bot.${seat.bot ?? "random"}`);
  if (seat.kind === "free") return t("common.free");
  return seat.name ?? t("common.guest");
}

/** When it was: "5 minutes ago", a date if it is longer than a week; times are seconds since 1970. */
export function ago(then: number, now = Date.now() / 1000): string {
  const past = Math.max(0, now - then);
  if (past > LONG_AGO) return new Date(then * 1000).toLocaleDateString(current(), { dateStyle: "medium" });
  const [unit, length] = STEPS.find(([, seconds]) => past >= seconds) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(current(), { numeric: "auto" }).format(-Math.floor(past / length), unit);
}

/** How many people play a game: "2", "3–5". */
export function players(seats: readonly number[]): string {
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  const range = least === most ? String(least) : `${least}–${most}`;
  return t("common.players", { most, range });
}
