/** What was agreed at a table, in a few words. */
import { infoOf } from "../../api/games.svelte";
import type { TableLine } from "../../api/wire";
import { named } from "../../texts/language-name";
import { t } from "../../texts/texts.svelte";
import { optionValue } from "../../api/game-names";

/** Options that are not the usual ones; said to be usual where all are. */
export function optionWords(game: string, options: Readonly<Record<string, string>>): string[] {
  const usual = infoOf(game)?.options;
  if (!usual) return [];
  const chosen = Object.entries(options).filter(([option, value]) => usual[option]?.[0] !== value);
  if (chosen.length === 0) return Object.keys(options).length ? [t("lobby.usual")] : [];
  return chosen.map(([option, value]) => optionValue(game, option, value));
}

/** What whoever sits down should know beside the clock: unusual options, the language. */
export function agreed({ game, options, terms }: Pick<TableLine, "game" | "options" | "terms">): string[] {
  const language = terms.language ? named(terms.language) : "";
  return [...optionWords(game, options), language].filter(Boolean);
}
