/** Words for everything in Patterns: tiles, moves, events, scores, reasons. */
import type { Item, PatternsGroup, PatternsView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { valuesBy } from "../refusals";
import { groupBySpace } from "./pieces";

/** A colour, by its letter. */
export function colourWord(colour: string): string {
  return t(`patterns.colour.${colour}`);
}

export function colourWords(colours: string): string {
  return [...colours].map(colourWord).join(", ");
}

export function nameOf(names: readonly string[], seat: number): string {
  return names[seat] ?? t("patterns.seat", { number: seat + 1 });
}

/** What lies on a space: "black, front up", "Ada: green group, marker 2". */
export function tileWords(view: PatternsView, cell: string, names: readonly string[]): string {
  const owned = groupBySpace(view).get(cell);
  if (!owned) return view.fronts[cell] ? t("patterns.tile.front", { colour: colourWord(view.fronts[cell]) }) : "";
  const { seat, group } = owned;
  const values = { name: nameOf(names, seat), colour: colourWord(group.colour), marker: group.marker };
  return group.marked === cell ? t("patterns.tile.marked", values) : t("patterns.tile.back", values);
}

/** How a group comes to its worth. */
export function formulaWords(group: PatternsGroup, name: string): string {
  const { colour, marker, cells, worth } = group;
  return t("patterns.formula", { name, colour: colourWord(colour), marker, tiles: cells.length, points: worth });
}

/** A line of the score in words. */
export function item({ points, values: { colour, marker, tiles } }: Item): string {
  return t("patterns.item", {
    colour: colourWord(String(colour)),
    marker: Number(marker),
    tiles: Number(tiles),
    points,
  });
}

/** A move in words, for who is to make it. */
export function move(text: string, view: PatternsView): string {
  const [verb = "", what = ""] = text.split(" ");
  const held = colourWord(view.bowls?.[view.turn ?? 0] ?? "");
  const here = colourWord(view.fronts[what] ?? "");
  if (verb === "open") return t("patterns.move.open", { cell: what, held, here });
  if (verb === "flip") return t("patterns.move.flip", { cell: what, here });
  if (verb === "swap") return t("patterns.move.swap", { cell: what, held, here });
  if (verb === "give")
    return t("patterns.move.give", { first: colourWord(what), second: colourWord(otherStart(view, what)) });
  return verb === "done" ? t("patterns.move.done") : text;
}

/** The start tile that is not this one. */
export function otherStart(view: PatternsView, colour: string): string {
  return view.start?.find((start) => start !== colour) ?? colour;
}

/** An event in words, as the log tells it. */
export function event(by: number | null, text: string | null, names: readonly string[]): string {
  const [verb = "", what = "", start = ""] = (text ?? "").split(" ");
  if (by === null) return t("patterns.event.deal", { colours: colourWords(start) });
  const name = nameOf(names, by);
  if (verb === "open") return t("patterns.event.open", { name, cell: what });
  if (verb === "flip") return t("patterns.event.flip", { name, cell: what });
  if (verb === "swap") return t("patterns.event.swap", { name, cell: what });
  if (verb === "give") return t("patterns.event.give", { name, colour: colourWord(what), first: nameOf(names, 0) });
  return t("patterns.event.done", { name });
}

/** The values of a refusal in words. */
export const values = valuesBy({ colour: colourWord });
