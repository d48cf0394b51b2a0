/** What is agreed at a table beside who sits there, before it is made: rules, deal, clock, onlookers, who finds it. */
import type { GameInfo, Table, Terms } from "../../api/wire";
import { clockDraft, clockOf, isClock, timeTerms, type ClockDraft } from "../../clocks/clock";
import { clockText } from "../../clocks/words";
import { isCode } from "../../fairness/deals";
import { t } from "../../texts/texts.svelte";
import { optionValue } from "../../api/game-names";

export interface TermsDraft {
  options: Record<string, string>;
  /** The code of a deal that several tables share; null: dealt anew. */
  code: string | null;
  clock: ClockDraft;
  onlookers: Table["onlookers"];
  /** Who may find the finished game; empty: as usual. */
  finders: Table["finders"] | "";
}

/** What was chosen, in a few words. */
export interface Choice {
  words: string;
  isUsual: boolean;
}

/** What most leave as it is. */
export function usualTerms(info: GameInfo): TermsDraft {
  const options = Object.entries(info.options).map(([option, values]) => [option, values[0] ?? ""] as const);
  return {
    options: Object.fromEntries(options),
    code: null,
    clock: clockDraft(info.bots),
    onlookers: "link",
    finders: "",
  };
}

/** Who may find the finished game: of open tables usually everybody, of others those with its link. */
export function findersOf({ finders }: Pick<TermsDraft, "finders">, isListed: boolean): Table["finders"] {
  return finders || (isListed ? "all" : "link");
}

/** The same the other way round: what is usual is not asked for, so that it follows the table's doors. */
export function asFinders(chosen: Table["finders"], isListed: boolean): TermsDraft["finders"] {
  return chosen === findersOf({ finders: "" }, isListed) ? "" : chosen;
}

/** Whether a table can be made like this. */
export function areWhole({ clock, code }: TermsDraft): boolean {
  return isClock(clock) && (code === null || isCode(code));
}

/** What the server is told of it. */
export function termsOf({ clock, code, finders }: TermsDraft): Terms {
  return { ...timeTerms(clock), ...(code === null ? {} : { code }), ...(finders ? { finders } : {}) };
}

function rulesChosen(info: GameInfo, options: TermsDraft["options"]): Choice[] {
  const unusual = Object.entries(options).filter(([option, value]) => info.options[option]?.[0] !== value);
  if (unusual.length)
    return unusual.map(([option, value]) => ({ words: optionValue(info.name, option, value), isUsual: false }));
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
export function choices(info: GameInfo, draft: TermsDraft, isFixed: boolean, isListed: boolean): Choice[] {
  const { options, code, clock, onlookers } = draft;
  const finders = findersOf(draft, isListed);
  return [
    ...(isFixed ? [] : [...rulesChosen(info, options), dealChosen(code)]),
    clockChosen(clock),
    { words: t(`new.onlookers.${onlookers}`), isUsual: onlookers === "link" },
    { words: t(`new.finders.${finders}`), isUsual: asFinders(finders, isListed) === "" },
  ];
}
