/** Games that these pages have never heard of: boards as text, moves as records write them, English from the server. */
import type { Item, TextBoard, TextView } from "../api/wire";
import { t } from "../texts/texts.svelte";
import { columnsOf } from "./cells";
import type { GameModule, TextTable } from "./module";
import { valuesBy } from "./refusals";

/** The module of a game without a folder here. */
export function plainGame(name: string): GameModule<TextView> {
  return { name, Board: null, tables, summary: () => "", move: (move) => move, event, item, values: valuesBy({}) };
}

/** The boards of everybody, the seat's own first; of a game that shows something else, whatever that is. */
function tables(view: TextView, seat: number | null, names: readonly string[]): TextTable[] {
  if (!("boards" in view)) return [fieldsOf(view)];
  const { boards } = view;
  const own = boards.filter((board) => board.seat !== null && board.seat === seat);
  return [...own, ...boards.filter((board) => !own.includes(board))].map((board) => tableOf(board, names));
}

function tableOf({ title, seat, rows, notes, named }: TextBoard, names: readonly string[]): TextTable {
  const widest = Math.max(0, ...rows.map((row) => row.length));
  return {
    caption: seat === null ? title : t("plain.event", { name: names[seat] ?? "", move: title }),
    columns: named ? columnsOf(widest) : [],
    rows: rows.map((row, n) => ({ head: named ? String(n + 1) : "", cells: row.map((cell) => cell ?? "") })),
    notes,
  };
}

/** A view that is meant for a board which is not here, field by field. */
function fieldsOf(view: object): TextTable {
  const rows = Object.entries(view).map(([head, value]) => ({ head, cells: [JSON.stringify(value)] }));
  return { caption: t("table.board"), columns: [], rows };
}

function event(by: number | null, move: string | null, names: readonly string[]): string {
  if (by === null) return move ?? "";
  const name = names[by] ?? "";
  return move === null ? t("plain.secret", { name }) : t("plain.event", { name, move });
}

function item({ label }: Item): string {
  return label;
}
