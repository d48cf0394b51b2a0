/** The words of the game: tiles, structures, symmetries, lists of names. */
import type { MozaikaProspect } from "../../api/wire";
import { current, t } from "../../texts/texts.svelte";
import { cellAt, cellName, pieceOf } from "./tile";

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

/** A structure, from the name the rules give it: "row 1", "diagonal a1–d4", "square b2". */
export function structureWords(name: string): string {
  const [kind = "", where = ""] = name.split(" ");
  return t(`mozaika.structure.${kind}`, { where: kind === "square" ? squareCorners(where) : where });
}

function squareCorners(first: string): string {
  const [column, row] = cellAt(first);
  return `${first}–${cellName(column + 1, row + 1)}`;
}

/** A symmetry, from the name the rules give it: "left–right", "diagonal a1–d4", "half turn". */
export function symmetryWords(name: string): string {
  const [kind = "", where = ""] = name.split(" ");
  if (kind === "diagonal") return t("mozaika.symmetry.diagonal", { where });
  const slug = name.replace(/[– ]/g, "-");
  return t(`mozaika.symmetry.${slug}`);
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
