/** Sentences of the table that need the game's words. */
import type { Happening, Refusal, State } from "../api/wire";
import type { GameModule } from "../games/module";
import { has, t } from "../texts/texts.svelte";
import { listed } from "./names";

/** Why something was refused, with the number of the rule. */
export function refusalText(refusal: Refusal, game: GameModule, names: readonly string[]): string {
  const key = `reason.${refusal.reason}`;
  const text = has(key) ? t(`reason.${refusal.reason}`, game.values(refusal.values, names)) : refusal.sentence;
  return refusal.rule ? t("table.refused", { rule: refusal.rule, text }) : text;
}

/** What happened, in words; some games can only tell it with what came before. */
export function eventText(
  event: Happening,
  events: readonly Happening[],
  game: GameModule,
  names: readonly string[],
): string {
  const earlier = events.filter((other) => other.n < event.n);
  const told = game.event(event.by, event.do, names, earlier);
  return event.late ? t("clock.event", { event: told }) : told;
}

/** Who must act, as this screen says it. */
export function turnText(acting: readonly number[], mine: readonly number[], names: readonly string[]): string {
  if (acting.length === 0) return t("table.turn.nobody");
  const called = listed(acting.map((seat) => names[seat] ?? ""));
  const own = acting.filter((seat) => mine.includes(seat));
  if (own.length === 0) return t("table.turn.waiting", { names: called });
  if (mine.length > 1) return t("table.turn.named", { names: listed(own.map((seat) => names[seat] ?? "")) });
  return t("table.turn.yours");
}

/** What a game came to, in a sentence. */
export function resultText(state: Pick<State, "winners" | "scores" | "verdict">, names: readonly string[]): string {
  const points = Math.max(0, ...state.winners.map((seat) => state.scores[seat] ?? 0));
  if (state.verdict) return t(`table.verdict.${state.verdict}`, { points: state.scores[0] ?? 0 });
  const called = listed(state.winners.map((seat) => names[seat] ?? ""));
  if (state.winners.length > 1) return t("table.result.tie", { names: called, points });
  const tied = state.scores.filter((score) => score === points).length > 1;
  return t(tied ? "table.result.ahead" : "table.result.won", { names: called, points });
}
