/** Everything on the table as tables, for those who read instead of look. */
import type { MozaikaPlace, MozaikaView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import type { TextTable } from "../module";
import { columns } from "./pieces";
import { codedTile, coinWords, listed, lyingWords, nameOf } from "./words";

/** The seat's own board first, then what everybody has, the open tiles, and the other boards. */
export function tables(view: MozaikaView, seat: number | null, names: readonly string[]): TextTable[] {
  const seats = view.places.map((_, n) => n);
  const [first = 0, ...others] = [...seats.slice(seat ?? 0), ...seats.slice(0, seat ?? 0)];
  const board = (n: number) => boardTable(view.places[n]?.board ?? [], nameOf(names, n));
  return [board(first), ...openTable(view), possessions(view, [first, ...others], names), ...others.map(board)];
}

function boardTable(board: MozaikaPlace["board"], name: string): TextTable {
  return {
    caption: t("mozaika.board-of", { name }),
    columns,
    rows: board.map((row, n) => ({ head: String(n + 1), cells: row.map(cellText) })),
  };
}

function cellText(text: string): string {
  return text === "." ? t("mozaika.empty") : `${lyingWords(text)} (${text})`;
}

function openTable(view: MozaikaView): TextTable[] {
  if (!view.display.length) return [];
  const row = { head: t("mozaika.open"), cells: view.display.map(codedTile) };
  return [{ caption: t("mozaika.open"), columns: view.display.map((_, n) => String(n + 1)), rows: [row] }];
}

function possessions(view: MozaikaView, seats: readonly number[], names: readonly string[]): TextTable {
  return {
    caption: t("mozaika.possessions"),
    columns: [t("mozaika.hand"), t("mozaika.purse"), t("mozaika.bid"), t("mozaika.so-far"), t("mozaika.marks")],
    rows: seats.map((seat) => ({ head: nameOf(names, seat), cells: possessed(view, seat) })),
  };
}

function possessed(view: MozaikaView, seat: number): string[] {
  const place = view.places[seat];
  if (!place) return [];
  const hand = place.hand ? listed(place.hand.map(codedTile)) : t("mozaika.hidden");
  const bid = place.bid === null ? bidMissing(view, seat) : coinWords(place.bid);
  return [hand, coinWords(place.coins), bid, t("mozaika.points", { points: place.worth }), marks(view, seat)];
}

/** A bid that is not shown: sealed, still missing, or none in this phase. */
function bidMissing(view: MozaikaView, seat: number): string {
  if (view.phase !== "bidding") return "–";
  return view.waiting.includes(seat) ? t("mozaika.missing-mark") : t("mozaika.sealed-mark");
}

function marks(view: MozaikaView, seat: number): string {
  const found = [view.starter === seat ? t("mozaika.bag") : "", view.fly === seat ? t("mozaika.fly") : ""];
  return found.filter(Boolean).join(", ") || "–";
}
