/** Clocks in words. */
import type { Clock, Terms } from "../api/wire";
import { botName, standInOf } from "../bots/levels";
import { current, t } from "../texts/texts.svelte";
import { digits, parts } from "./clock";

type Width = "narrow" | "short" | "long";

/** A span of time: "5 min", "2 h 30 min", "one day" in full where it is read out. */
export function span(seconds: number, width: Width = "short"): string {
  const told = parts(seconds).map(([count, unit]) =>
    new Intl.NumberFormat(current(), { style: "unit", unit, unitDisplay: width }).format(count),
  );
  // Some languages put an “and” in between, for which a clock has no room.
  if (width === "narrow") return told.join("\u00a0");
  return new Intl.ListFormat(current(), { type: "unit", style: width === "long" ? "short" : "narrow" }).format(told);
}

/** A clock in a few words, for lists and choices. */
export function clockText({ kind, seconds, increment = 0 }: Clock): string {
  if (kind === "slow") return t("clock.slow", { time: span(seconds) });
  if (increment === 0) return t("clock.plain", { bank: span(seconds) });
  return t("clock.live", { bank: span(seconds), more: span(increment) });
}

/** A clock in a sentence. */
export function clockSentence({ kind, seconds, increment = 0 }: Clock): string {
  const [bank, more] = [span(seconds, "long"), span(increment, "long")];
  if (kind === "slow") return t("clock.slow.what", { time: bank });
  return increment === 0 ? t("clock.plain.what", { bank }) : t("clock.live.what", { bank, more });
}

/** What was agreed for when time runs out. */
export function lateSentence(terms: Terms): string {
  return t(`clock.late.told.${terms.late ?? "move"}`, { bot: botName(standInOf(terms)) });
}

/** What a seat has left, as its clock shows it: seconds do not matter where one has hours for a move. */
export function shownTime(seconds: number, { kind }: Clock): string {
  return kind === "slow" && seconds >= 3_600 ? span(seconds, "narrow") : digits(seconds);
}

/** How long somebody has still, in words. */
export function leftText(seconds: number, width: Width = "short"): string {
  return seconds > 0 ? t("clock.left", { time: span(seconds, width) }) : t("clock.out");
}
