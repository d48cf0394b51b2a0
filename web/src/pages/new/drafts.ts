/** A table before it is made: who is to sit where. */
import type { GameInfo, NewTable, SeatWish } from "../../api/wire";
import { usualBot } from "../../bots/levels";

export type SeatKind = "here" | "link" | "bot";
export type Preset = "bots" | "screen" | "friends";

export const seatKinds: readonly SeatKind[] = ["here", "link", "bot"];
export const presets: readonly Preset[] = ["bots", "screen", "friends"];

/** A seat as it is being thought of; name and bot are kept while one changes one's mind. */
export interface SeatDraft {
  kind: SeatKind;
  name: string;
  bot: string;
}

const OTHERS: Record<Preset, SeatKind> = { bots: "bot", screen: "here", friends: "link" };

/** The least number of seats at which somebody else sits too. */
export function leastSeats(info: GameInfo): number {
  return Math.min(...info.seats.filter((seats) => seats > 1));
}

/** Seats for so many, the first for whoever asks, the others as the preset says. */
export function draft(info: GameInfo, count: number, preset: Preset, me: string): SeatDraft[] {
  const bot = usualBot(info.bots);
  return Array.from({ length: count }, (_, n) => ({
    kind: n === 0 ? "here" : OTHERS[preset],
    name: n === 0 ? me : "",
    bot,
  }));
}

/** Names in which nobody would see a difference at a glance are one: case and blanks do not count. */
const seen = (name: string) => name.normalize("NFKC").trim().replace(/\s+/gu, " ").toLowerCase();

/** The seats at this screen whose names stand there twice. */
export function namesakes(seats: readonly SeatDraft[]): number[] {
  const names = seats.map(({ kind, name }) => (kind === "here" ? seen(name) : ""));
  return names.flatMap((name, n) => (name !== "" && names.indexOf(name) !== names.lastIndexOf(name) ? [n] : []));
}

/** Take seats away or add such as the last one is. */
export function resized(seats: readonly SeatDraft[], count: number, info: GameInfo): SeatDraft[] {
  const last = seats.length > 1 ? seats[seats.length - 1] : undefined;
  const more: SeatDraft = { kind: last?.kind ?? "bot", name: "", bot: last?.bot ?? usualBot(info.bots) };
  return Array.from({ length: count }, (_, n) => seats[n] ?? { ...more });
}

/** The preset that seats look like, if it is one. */
export function presetOf(seats: readonly SeatDraft[]): Preset | null {
  const [first, ...others] = seats;
  if (first?.kind !== "here" || others.length === 0) return null;
  return presets.find((preset) => others.every((seat) => seat.kind === OTHERS[preset])) ?? null;
}

function wish(seat: SeatDraft): SeatWish {
  if (seat.kind === "bot") return { kind: "bot", bot: seat.bot };
  return seat.kind === "here" ? { kind: "here", name: seat.name.trim() } : { kind: "link" };
}

/** The table to ask the server for; one without free seats is of no use in a list. */
export function order(game: string, seats: readonly SeatDraft[], wishes: Omit<NewTable, "game" | "seats">): NewTable {
  const open = seats.some((seat) => seat.kind === "link");
  return { game, seats: seats.map(wish), ...wishes, listed: open && wishes.listed === true };
}
