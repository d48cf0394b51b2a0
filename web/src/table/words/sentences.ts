/** Sentences of the table that need the game's words. */
import type { Ended, Happening, Refusal, State } from "../../api/wire";
import type { GameModule } from "../../games/module";
import { has, t } from "../../texts/texts.svelte";
import { stood } from "../line/takebacks";
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
  if (event.back) return t("people.back.told", { name: names[event.by ?? -1] ?? "" });
  const earlier = events.filter((other) => stood(other, event));
  const told = game.event(event.by, event.do, names, earlier);
  const text = event.late ? t("clock.event", { event: told }) : told;
  return event.gone === null ? text : t("people.back.gone", { text });
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

/** How a game ended before its end, in a sentence. */
export function endedText(ended: Ended, winners: readonly number[], names: readonly string[]): string {
  const name = names[ended.by ?? -1] ?? "";
  if (ended.how !== "resigned") return t(`people.ended.${ended.how}`, { name });
  if (winners.length === 0) return t("people.ended.resigned.alone", { name });
  const called = listed(winners.map((seat) => names[seat] ?? ""));
  return t("people.ended.resigned", { name, names: called, count: winners.length });
}

function verdictText(verdict: string, points: number): string {
  const key = `table.verdict.${verdict}`;
  return has(key) ? t(key, { points }) : t("plain.verdict", { verdict, points });
}

/** What a game came to, in a sentence. */
export function resultText(
  state: Pick<State, "winners" | "scores" | "verdict">,
  names: readonly string[],
  ended: Ended | null = null,
): string {
  if (ended) return endedText(ended, state.winners, names);
  const points = Math.max(0, ...state.winners.map((seat) => state.scores[seat] ?? 0));
  if (state.verdict) return verdictText(state.verdict, state.scores[0] ?? 0);
  const called = listed(state.winners.map((seat) => names[seat] ?? ""));
  if (state.winners.length > 1) return t("table.result.tie", { names: called, points });
  const tied = state.scores.filter((score) => score === points).length > 1;
  return t(tied ? "table.result.ahead" : "table.result.won", { names: called, points });
}
