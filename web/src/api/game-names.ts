/** Games in words: what they and their options are called; what these pages have no text for, as the server calls it. */
import { infoOf } from "./games.svelte";
import { has, t } from "../texts/texts.svelte";

/** What a game is called. */
export function gameTitle(game: string): string {
  return has(`game.${game}.title`) ? t(`game.${game}.title`) : (infoOf(game)?.title ?? game);
}

/** What a game is like. */
export function gameSaying(game: string): string {
  return has(`game.${game}.what`) ? t(`game.${game}.what`) : t("plain.what");
}

/** What an option of a game is called. */
export function optionName(game: string, option: string): string {
  return has(`option.${game}.${option}`) ? t(`option.${game}.${option}`) : option;
}

/** What a value of an option is called. */
export function optionValue(game: string, option: string, value: string): string {
  return has(`option.${game}.${option}.${value}`) ? t(`option.${game}.${option}.${value}`) : value;
}
