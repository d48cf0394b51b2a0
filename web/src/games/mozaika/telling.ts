/** Moves, events, lines of the score and the whole situation in words. */
import type { Item, MozaikaView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { ROUNDS } from "./tile";
import { coinWords, listed, nameOf, structureWords, symmetryWords, tileWords } from "./words";

/** A move as a button says it. */
export function move(text: string, view: MozaikaView): string {
  const [verb, what = "", cell = ""] = text.split(" ");
  if (verb === "bid") return t("mozaika.move.bid", { coins: Number(what) });
  if (verb === "pick") return t("mozaika.move.pick", { tile: tileWords(what) });
  if (verb === "fly") return t("mozaika.move.fly", { cell: what });
  return t("mozaika.move.lay", { tile: tileWords(what), cell, coins: view.incomes?.[text] ?? 0 });
}

/** An event as the log tells it. */
export function event(by: number | null, text: string | null, names: readonly string[]): string {
  const name = nameOf(names, by);
  if (by === null) return chance(text);
  if (text === null) return t("mozaika.event.sealed", { name });
  const [verb, what = "", cell = ""] = text.split(" ");
  if (verb === "bid") return t("mozaika.event.bid", { name, coins: Number(what) });
  if (verb === "pick") return t("mozaika.event.pick", { name, tile: tileWords(what) });
  if (verb === "fly") return t("mozaika.event.fly", { name, cell: what });
  return t("mozaika.event.lay", { name, tile: tileWords(what), cell });
}

function chance(text: string | null): string {
  const [verb, ...tiles] = (text ?? "deal").split(" ");
  return verb === "draw" ? t("mozaika.event.draw", { tiles: listed(tiles.map(tileWords)) }) : t("mozaika.event.deal");
}

/** A line of the score. */
export function item(line: Item): string {
  const { structure, same, flies, coins, symmetry } = line.values;
  if (line.kind === "thrift") return t("mozaika.item.thrift", { coins: Number(coins) });
  if (line.kind === "symmetry") return t("mozaika.item.symmetry", { symmetry: symmetryWords(String(symmetry)) });
  const where = structureWords(String(structure));
  if (line.kind === "flies") return t("mozaika.item.flies", { structure: where, flies: Number(flies) });
  return t("mozaika.of", { structure: where, of: t(`mozaika.same.${String(same)}`) });
}

/** The values of a refusal: seats and tiles by name. */
export function values(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string | number> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueWords(key, value, names)]));
}

function valueWords(key: string, value: unknown, names: readonly string[]): string | number {
  if (key === "seat") return nameOf(names, Number(value));
  if (key === "tile") return tileWords(String(value));
  return typeof value === "number" ? value : String(value);
}

/** The situation in a few sentences: round, what is asked of whom, what lies open, who holds the bag. */
export function summary(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  if (view.phase === "over") return t("mozaika.told.over");
  const head = t("mozaika.told.head", {
    round: view.round,
    rounds: ROUNDS,
    phase: t(`mozaika.phase.${view.phase}`),
    name: nameOf(names, view.starter),
  });
  const open = view.display.length ? t("mozaika.told.open", { tiles: listed(view.display.map(tileWords)) }) : "";
  return [head, open, asked(view, seat, names), flyWords(view, names)].filter(Boolean).join(" ");
}

/** Who is to act, said to this seat. */
export function asked(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  const next = view.phase === "picking" ? (view.order?.[view.picked] ?? null) : view.fly;
  if (view.phase === "picking") return next === seat ? t("mozaika.ask.pick") : waits("pick", names, next);
  if (view.phase === "flying") return next === seat ? t("mozaika.ask.fly") : waits("fly", names, next);
  if (view.phase === "bidding" || view.phase === "laying") return together(view, seat, names);
  return "";
}

function waits(verb: "pick" | "fly", names: readonly string[], seat: number | null): string {
  return verb === "pick"
    ? t("mozaika.wait.pick", { name: nameOf(names, seat) })
    : t("mozaika.wait.fly", { name: nameOf(names, seat) });
}

function together(view: MozaikaView, seat: number | null, names: readonly string[]): string {
  const bidding = view.phase === "bidding";
  const bid = seat === null ? null : (view.places[seat]?.bid ?? null);
  if (seat !== null && view.waiting.includes(seat)) return bidding ? t("mozaika.ask.bid") : t("mozaika.ask.lay");
  const sealed = bidding && bid !== null ? t("mozaika.told.sealed", { coins: coinWords(bid) }) : "";
  return [sealed, missing(view, names)].filter(Boolean).join(" ");
}

/** Who has yet to bid or lay. */
export function missing(view: MozaikaView, names: readonly string[]): string {
  return t("mozaika.missing", { names: listed(view.waiting.map((seat) => nameOf(names, seat))) });
}

/** When flies come, and who gets the one of this round. */
export function flyWords(view: MozaikaView, names: readonly string[]): string {
  if (view.phase === "flying") return "";
  if (view.fly !== null) return t("mozaika.flies.goes", { name: nameOf(names, view.fly) });
  if (view.round < view.flies_from) return t("mozaika.flies.from", { round: view.flies_from });
  return view.phase === "bidding" ? t("mozaika.flies.now") : "";
}
