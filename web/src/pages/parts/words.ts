/** Tables in words: who sits there, when something happened. */
import type { Seat, TableLine } from "../../api/wire";
import { botName } from "../../bots/levels";
import { current, t } from "../../texts/texts.svelte";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const LONG_AGO = 7 * 86_400;

/** Who sits on a seat, in words. */
export function sitter(seat: Seat): string {
  if (seat.kind === "bot") return botName(seat.bot ?? "");
  if (seat.kind === "free") return t("common.free");
  return seat.name ?? t("common.guest");
}

/** For whom one plays who comes by a link while a game is going on; of several, the link leads to one. */
export function playedFor(seats: readonly Pick<Seat, "kind" | "owner">[]): string {
  const lent = seats.flatMap(({ kind, owner }) => (kind === "free" && owner !== null ? [owner] : []));
  return new Intl.ListFormat(current(), { type: "disjunction" }).format(lent);
}

/** Somebody in a line about a table; `points` once the game is over. */
export interface Sitter {
  name: string;
  points: number | null;
  won: boolean;
}

/** Names, those that stand there twice told once: bots of one kind have one name. */
function counted(names: readonly string[]): string[] {
  return [...new Set(names)].map((name) => {
    const times = names.filter((other) => other === name).length;
    return times > 1 ? `${name} × ${times}` : name;
  });
}

/** Who plays at a table; while the game goes on, I know that I do. */
export function company({ seats, stage, scores, winners }: TableLine): Sitter[] {
  if (stage === "over")
    return seats.map((seat, n) => ({ name: sitter(seat), points: scores[n] ?? null, won: winners.includes(n) }));
  const taken = seats.filter((seat) => seat.kind !== "free");
  const others = taken.filter((seat) => !seat.mine);
  const names = counted((others.length ? others : taken).map(sitter));
  return names.map((name) => ({ name, points: null, won: false }));
}

/** The people at a table, without the bots. */
export function people(seats: readonly Seat[]): string[] {
  return seats.filter((seat) => seat.kind !== "free" && seat.kind !== "bot").map(sitter);
}

/** The same people, whoever made the table first and known as such. */
export function hostFirst(names: readonly string[], host: string | null): string[] {
  if (host === null || !names.includes(host)) return [...names];
  const others = names.filter((_, n) => n !== names.indexOf(host));
  return [t("lobby.host", { name: host }), ...others];
}

/** The bots at a table. */
export function bots(seats: readonly Seat[]): string[] {
  return counted(seats.filter((seat) => seat.kind === "bot").map(sitter));
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
