/** The bots as people choose them: levels with a number, a name and a sentence. */
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

/** The opponent to begin with: one that plays sensibly and at once. */
export function usualBot(bots: readonly string[]): string {
  return bots.find((bot) => bot === "level-3") ?? bots[0] ?? "";
}
