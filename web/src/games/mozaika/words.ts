/** Mozaika in words: tiles, structures and symmetries, then moves, events and lines of the score. */
import type { Item, MozaikaProspect, MozaikaView } from "../../api/wire";
import { current, t } from "../../texts/texts.svelte";
import { valuesBy } from "../refusals";
import { pieceOf } from "./pieces";

/** A tile by its looks: "red star". */
export function tileWords(code: string): string {
  return t(`mozaika.tile.${code.slice(0, 2)}`);
}

/** A tile by its looks and as it is typed: "red star (R4)". */
export function codedTile(code: string): string {
  return t("mozaika.coded", { tile: tileWords(code), code: code.slice(0, 2) });
}

/** What lies on a cell: a tile, perhaps with a fly, or nothing. */
export function lyingWords(text: string): string {
  const piece = pieceOf(text);
  if (!piece) return t("mozaika.empty");
  return piece.fly ? t("mozaika.with-fly", { tile: tileWords(piece.code) }) : tileWords(piece.code);
}

/** A number of coins. */
export function coinWords(coins: number): string {
  return t("mozaika.coins", { coins });
}

/** Several names or tiles in one phrase. */
export function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(current(), { type: "conjunction" }).format(parts);
}

/** The name of a seat's player. */
export function nameOf(names: readonly string[], seat: number | null): string {
  return seat === null ? "" : (names[seat] ?? "");
}

/** A structure, from its key: "row.1", "diagonal.a1-d4", "square.b2-c3". */
export function structureWords(key: string): string {
  return keyWords("structure", key);
}

/** A symmetry, from its key: "left-right", "diagonal.a1-d4". */
export function symmetryWords(key: string): string {
  return keyWords("symmetry", key);
}

function keyWords(what: string, key: string): string {
  const [kind = "", where = ""] = key.split(".");
  return t(`mozaika.${what}.${kind}`, { where: where.replace("-", "–") });
}

/** What a structure has in common: a colour, a symbol, or both. */
function commonWords(of: string): string {
  if (of.length > 1) return tileWords(of);
  return "RBY".includes(of) ? t(`mozaika.colour.${of}`) : t(`mozaika.symbol.${of}`);
}

/** Something a board can still become. */
export function prospectWords(prospect: MozaikaProspect): string {
  if (prospect.kind === "symmetry") return t("mozaika.item.symmetry", { symmetry: symmetryWords(prospect.name) });
  return t("mozaika.of", { structure: structureWords(prospect.name), of: commonWords(prospect.of ?? "") });
}

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

/** The values of a refusal in words. */
export const values = valuesBy({ tile: tileWords });
