/** What people, bots and empty seats are called. */
import type { Replay, Seat } from "../../api/wire";
import { botName } from "../../bots/levels";
import { current, t } from "../../texts/texts.svelte";

/** What a seat is called in sentences; one that was handed on and is not taken yet is still its person's. */
export function seatName(seat: Seat, index: number): string {
  if (seat.kind === "bot") return seat.name ?? (seat.bot ? botName(seat.bot) : t("table.bot"));
  return seat.name ?? seat.owner ?? t("table.seat.number", { number: index + 1 });
}

/** The names of all seats; two that are called the same are told apart by a number. */
export function seatNames(seats: readonly Seat[]): string[] {
  return apart(seats.map(seatName));
}

/** Tell equal names apart. */
export function apart(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const same = names.filter((other) => other === name).length > 1;
    return same ? `${name} ${String(names.slice(0, index + 1).filter((other) => other === name).length)}` : name;
  });
}

/** What everybody in a finished game is called. */
export function namesIn({ names, bots }: Pick<Replay, "names" | "bots">): string[] {
  const called = names.map((name, index) => {
    const bot = bots[index] ?? null;
    return name || (bot === null ? t("table.seat.number", { number: index + 1 }) : botName(bot));
  });
  return apart(called);
}

/** Several names as one phrase. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(current(), { type: "conjunction" }).format(names);
}
