/** What is agreed at a table beside who sits there, before it is made: rules, deal, clock, onlookers. */
import type { GameInfo, Table, Terms } from "../api/wire";
import { clockDraft, clockOf, isClock, timeTerms, type ClockDraft } from "../clocks/clock";
import { clockText } from "../clocks/telling";
import { isCode } from "../fairness/deals";
import { t } from "../texts/texts.svelte";

export interface TermsDraft {
  options: Record<string, string>;
  /** The code of a deal that several tables share; null: dealt anew. */
  code: string | null;
  clock: ClockDraft;
  onlookers: Table["onlookers"];
}

/** What was chosen, in a few words. */
export interface Choice {
  words: string;
  isUsual: boolean;
}

/** What most leave as it is. */
export function usualTerms(info: GameInfo): TermsDraft {
  const options = Object.entries(info.options).map(([option, values]) => [option, values[0] ?? ""] as const);
  return { options: Object.fromEntries(options), code: null, clock: clockDraft(info.bots), onlookers: "link" };
}

/** Whether a table can be made like this. */
export function areWhole({ clock, code }: TermsDraft): boolean {
  return isClock(clock) && (code === null || isCode(code));
}

/** What the server is told of it. */
export function termsOf({ clock, code }: TermsDraft): Terms {
  return { ...timeTerms(clock), ...(code === null ? {} : { code }) };
}

function rulesChosen(info: GameInfo, options: TermsDraft["options"]): Choice[] {
  const unusual = Object.entries(options).filter(([option, value]) => info.options[option]?.[0] !== value);
  if (unusual.length)
    return unusual.map(([option, value]) => ({ words: t(`option.${info.name}.${option}.${value}`), isUsual: false }));
  return Object.keys(options).length ? [{ words: t("new.more.usual"), isUsual: true }] : [];
}

function dealChosen(code: string | null): Choice {
  if (code === null) return { words: t("new.more.anew"), isUsual: true };
  return { words: t("deal.by-code", { code: code.trim() }), isUsual: false };
}

function clockChosen(draft: ClockDraft): Choice {
  const clock = isClock(draft) ? clockOf(draft) : null;
  if (draft.choice === "none") return { words: t("clock.none"), isUsual: true };
  return { words: clock ? clockText(clock) : t("clock.own"), isUsual: false };
}

/** Everything that was chosen; rules and deal only where they can be. */
export function choices(info: GameInfo, draft: TermsDraft, isFixed: boolean): Choice[] {
  const { options, code, clock, onlookers } = draft;
  return [
    ...(isFixed ? [] : [...rulesChosen(info, options), dealChosen(code)]),
    clockChosen(clock),
    { words: t(`new.onlookers.${onlookers}`), isUsual: onlookers === "link" },
  ];
}
