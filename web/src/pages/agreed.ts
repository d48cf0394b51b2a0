/** What was agreed at a table, in a few words. */
import { infoOf } from "../api/games.svelte";
import type { TableLine, Terms } from "../api/wire";
import { named } from "../texts/languages";
import { current, t } from "../texts/texts.svelte";

/** A clock as it may be agreed. */
interface Clock {
  kind: "live" | "slow";
  seconds: number;
  increment?: number;
}

const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** A length of time in the largest unit that fits. */
function lasting(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ["second", 1];
  return new Intl.NumberFormat(current(), { style: "unit", unit, unitDisplay: "short" }).format(seconds / length);
}

/** The clock in words; empty where there is none. */
export function clockWords(terms: Terms & { readonly clock?: Clock | null }): string {
  const { clock } = terms;
  if (!clock) return "";
  if (clock.kind === "slow") return t("lobby.clock.slow", { time: lasting(clock.seconds) });
  if (!clock.increment) return lasting(clock.seconds);
  return t("lobby.clock.live", { time: lasting(clock.seconds), more: lasting(clock.increment) });
}

/** Options that are not the usual ones; said to be usual where all are. */
export function optionWords(game: string, options: Readonly<Record<string, string>>): string[] {
  const usual = infoOf(game)?.options;
  if (!usual) return [];
  const chosen = Object.entries(options).filter(([option, value]) => usual[option]?.[0] !== value);
  if (chosen.length === 0) return Object.keys(options).length ? [t("lobby.usual")] : [];
  return chosen.map(([option, value]) => t(`option.${game}.${option}.${value}`));
}

/** What whoever sits down should know beside the clock: unusual options, the language. */
export function agreed({ game, options, terms }: Pick<TableLine, "game" | "options" | "terms">): string[] {
  const language = terms.language ? named(terms.language) : "";
  return [...optionWords(game, options), language].filter(Boolean);
}
