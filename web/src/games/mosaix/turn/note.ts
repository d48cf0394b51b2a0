/** The line under the grid: what to do next, whether the formation fits where it is held, and why not. */
import type { Because, MosaixView } from "../../../api/wire";
import { t } from "../../../texts/texts.svelte";
import { reasonText } from "../../refusals";
import type { Ghost } from "../board/ghost";
import type { Formation } from "../pieces";
import { values, writtenText } from "../words";
import type { TurnOptions } from "./options";

export interface NoteLine {
  readonly text: string;
  readonly tone: "plain" | "good" | "bad";
  readonly rule: string;
  /** For the ear: with the cells the symbols land on. */
  readonly spoken: string;
}

/** All that a note depends on. */
export interface Held {
  readonly view: MosaixView;
  readonly asked: TurnOptions;
  readonly formation: Formation | null;
  readonly arrangement: string;
  readonly ghost: Ghost | null;
  readonly active: boolean;
  /** A formation that was chosen although it may not be announced. */
  readonly refused: Formation | null;
  readonly places: ReadonlySet<string>;
  /** What the rules say about it, or about where the formation is held. */
  readonly because: Because | null;
  readonly names: readonly string[];
}

function plain(text: string): NoteLine {
  return { text, tone: "plain", rule: "", spoken: text };
}

function goodText(ghost: Ghost, view: MosaixView): string {
  if (ghost.leftOut === 0) return t("mosaix.fits");
  return t(view.boxes === null ? "mosaix.fits.out" : "mosaix.fits.boxes", { count: ghost.leftOut });
}

function ghostNote(ghost: Ghost, { view, arrangement, because, names }: Held): NoteLine {
  const why = because ? reasonText(because, values, names) : t("mosaix.fits.not");
  const text = ghost.fits ? goodText(ghost, view) : why;
  const spoken = `${writtenText(ghost.formation, arrangement, ghost.placement)}. ${text}`;
  return { text, tone: ghost.fits ? "good" : "bad", rule: ghost.fits ? "" : (because?.rule ?? ""), spoken };
}

function placeHint(): string {
  return t(window.matchMedia("(hover: hover)").matches ? "mosaix.hint.mouse" : "mosaix.hint.touch");
}

/** Why a formation cannot be announced. */
function refusedNote(because: Because, names: readonly string[]): NoteLine {
  const text = reasonText(because, values, names);
  return { text, tone: "bad", rule: because.rule, spoken: text };
}

/** How close the game is to its end because nobody can write, put behind a sentence. */
function idleText(text: string, { idle, patience }: MosaixView): string {
  return idle > 0 ? `${text} ${t("mosaix.idle", { idle, patience })}` : text;
}

/** What the line says now. */
export function noteOf(held: Held): NoteLine {
  const { view, asked, formation, ghost, active, refused, places, because, names } = held;
  if (asked.mustPass) return { ...plain(idleText(t("mosaix.pass.why"), view)), rule: view.passes ?? "" };
  if (refused && because) return refusedNote(because, names);
  if (ghost && active) return ghostNote(ghost, held);
  if (asked.forming && !formation) return plain(idleText(t("mosaix.hint.form"), view));
  if (asked.forming && places.size === 0) return plain(idleText(t("mosaix.hint.nowhere"), view));
  return plain(active ? placeHint() : "");
}
