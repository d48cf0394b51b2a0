/** The bots as people choose them: levels with a number, a name and a sentence. */
import type { Terms } from "../api/wire";
import { has, t } from "../texts/texts.svelte";

/** What a bot is called. */
export function botName(bot: string): string {
  return has(`bot.${bot}`) ? t(`bot.${bot}`) : bot;
}

/** What a bot is called in a list: with its level. */
export function numbered(bot: string): string {
  const number = /^level-(\d)$/.exec(bot)?.[1];
  return number ? t("bot.numbered", { number, name: botName(bot) }) : botName(bot);
}

/** What a bot is like. */
export function saying(bot: string): string {
  return has(`bot.what.${bot}`) ? t(`bot.what.${bot}`) : "";
}

/** The bot of middling strength. */
function middling(bots: readonly string[]): string | undefined {
  return bots[Math.floor((bots.length - 1) / 2)];
}

/** The bot that plays for somebody who is away or too late, as agreed; else the one of middling strength. */
export function standInOf({ stand_in = "" }: Terms, bots: readonly string[] = []): string {
  return stand_in || (middling(bots) ?? "level-4");
}

/** The opponent to begin with: one that plays sensibly and at once. */
export function usualBot(bots: readonly string[]): string {
  return bots.find((bot) => bot === "level-3") ?? middling(bots) ?? "";
}
