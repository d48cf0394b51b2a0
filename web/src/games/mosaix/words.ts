/** Mosaix in words: symbols, moves, events, and lines of the score. */
import type { Happening, Item, MosaixView } from "../../api/wire";
import { current, t } from "../../texts/texts.svelte";
import { valuesBy } from "../refusals";
import { area, isFormation, landing, readPlacement, type Formation } from "./pieces";

/** Symbols in words, one after the other. */
export function symbolWords(symbols: string): string {
  return [...symbols].map((symbol) => t(`mosaix.symbol.${symbol}`)).join(", ");
}

function formText(formation: string, arrangement: string): string {
  return t("mosaix.move.form", { formation, symbols: symbolWords(arrangement) });
}

/** Where the symbols of a placement land, in words, and how many of them are left out. */
function landedWords(formation: Formation, arrangement: string, text: string): { cells: string; out: string } {
  const landed = landing(formation, arrangement, readPlacement(text));
  const inside = landed.flatMap(({ symbol, cell }) => (cell ? [`${t(`mosaix.symbol.${symbol}`)} ${cell}`] : []));
  return { cells: inside.join(", "), out: String(landed.length - inside.length) };
}

/** A placement in words, with the cells its symbols land on. */
export function writtenText(formation: Formation, arrangement: string, text: string): string {
  const turns = String(readPlacement(text).turns);
  return t("mosaix.move.place", { formation, turns, ...landedWords(formation, arrangement, text) });
}

function placeText(move: string, { formation, arrangement }: MosaixView): string {
  return isFormation(formation) ? writtenText(formation, arrangement ?? "", move.slice(6)) : move;
}

/** A move as a button or a list says it. */
export function move(text: string, view: MosaixView): string {
  const [verb, first, second] = text.split(" ");
  if (verb === "form") return formText(first ?? "", second ?? "");
  if (verb === "place") return placeText(text, view);
  return t(verb === "stop" ? "mosaix.move.stop" : "mosaix.move.pass");
}

function dealText(cards: readonly string[], names: readonly string[]): string {
  const told = cards.map((card, seat) => `${names[seat] ?? ""}: ${symbolWords(card[0] ?? "")} ${card.slice(2)}`);
  return t("mosaix.event.deal", { cards: told.join("; ") });
}

/** An event as the log tells it; what was written is told with the formation that was announced before. */
export function event(
  by: number | null,
  text: string | null,
  names: readonly string[],
  earlier: readonly Happening[],
): string {
  const [verb = "", ...words] = (text ?? "").split(" ");
  const name = by === null ? "" : (names[by] ?? "");
  if (verb === "deal") return dealText(words, names);
  if (verb === "roll") return t("mosaix.event.roll", { symbols: symbolWords(words[0] ?? "") });
  if (verb === "form")
    return t("mosaix.event.form", { name, formation: words[0] ?? "", symbols: symbolWords(words[1] ?? "") });
  if (verb === "place") return placedText(name, text ?? "", earlier);
  return t(verb === "stop" ? "mosaix.event.stop" : "mosaix.event.pass", { name });
}

function placedText(name: string, move: string, earlier: readonly Happening[]): string {
  const announced = earlier.filter((event) => event.do?.startsWith("form ")).at(-1)?.do ?? "";
  const [, formation = "", arrangement = ""] = announced.split(" ");
  const landed = isFormation(formation)
    ? landedWords(formation, arrangement, move.slice(6))
    : { cells: move, out: "0" };
  return t("mosaix.event.place", { name, ...landed });
}

/** A line of the score, with a capital at its beginning. */
export function item(line: Item): string {
  const text = itemWords(line);
  return text.slice(0, 1).toLocaleUpperCase(current()) + text.slice(1);
}

function itemWords(item: Item): string {
  const symbol = t(`mosaix.symbol.${String(item.values["symbol"] ?? "o")}`);
  const { points, cells } = { points: item.points, cells: item.cells.length };
  if (item.kind === "boxes") return t("mosaix.item.boxes", { boxes: points });
  if (item.kind === "small-area") return t("mosaix.item.small", { symbol, cells, least: area });
  return t("mosaix.item.area", { symbol, cells, areas: Number(item.values["areas"]), points });
}

/** The values of a refusal in words. */
export const values = valuesBy({ dice: symbolWords, given: symbolWords });
