/** Mosaix for those who read instead of look: the table as tables, and its state in a sentence. */
import type { MosaixGrid, MosaixView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import type { TextTable } from "../module";
import { cellName, formations, turnedShape, type Formation } from "./formation";
import { allBoxes } from "./tally";
import { symbolWords } from "./words";

function cellWord(symbol: string, isPrinted: boolean): string {
  if (symbol === ".") return t("mosaix.table.empty");
  const word = t(`mosaix.symbol.${symbol}`);
  return isPrinted ? t("mosaix.table.printed", { symbol: word }) : word;
}

function gridTable(grid: MosaixGrid, name: string): TextTable {
  const rows = grid.rows.map((line, row) => ({
    head: String(row + 1),
    cells: [...line].map((symbol, column) => cellWord(symbol, cellName({ column, row }) === grid.printed)),
  }));
  return { caption: t("mosaix.table.grid", { name, points: grid.worth }), columns: [..."abcdefg"], rows };
}

function diceTable(view: MosaixView): TextTable {
  const places = [1, 2, 3, 4].map((place) => t("mosaix.table.place", { place }));
  const dice = view.arrangement ?? view.dice ?? "";
  const head = view.formation ? t("mosaix.formation", { formation: view.formation }) : t("mosaix.dice");
  const cells = [...dice].map((symbol) => symbolWords(symbol));
  return { caption: t("mosaix.dice"), columns: places, rows: dice ? [{ head, cells }] : [] };
}

function formationRow(formation: Formation, view: MosaixView): TextTable["rows"][number] {
  const spots = turnedShape(formation, 0).cells.map(({ column, row }) =>
    t("mosaix.table.spot", { column: column + 1, row: row + 1 }),
  );
  const fits = view.fits ? [String(view.fits[formation]?.length ?? 0)] : [];
  return { head: formation, cells: [...spots, ...fits] };
}

function formationsTable(view: MosaixView): TextTable {
  const places = [1, 2, 3, 4].map((place) => t("mosaix.table.place", { place }));
  return {
    caption: t("mosaix.formations"),
    columns: view.fits ? [...places, t("mosaix.table.fits")] : places,
    rows: formations.map((formation) => formationRow(formation, view)),
  };
}

function scaleTable(boxes: number): TextTable {
  return {
    caption: t("mosaix.table.scale"),
    columns: [t("mosaix.table.scale.free"), t("mosaix.table.scale.ticked")],
    rows: [{ head: t("mosaix.table.scale.boxes"), cells: [String(boxes), String(allBoxes - boxes)] }],
  };
}

/** Everything on the table: the dice, which all write, then the grids, the seat's own first. */
export function tables(view: MosaixView, seat: number | null, names: readonly string[]): TextTable[] {
  const seats = view.grids
    .map((_, number) => number)
    .sort((one, other) => Number(other === seat) - Number(one === seat));
  const grids = seats.flatMap((number) => {
    const grid = view.grids[number];
    return grid ? [gridTable(grid, names[number] ?? "")] : [];
  });
  const scale = view.boxes === null ? [] : [scaleTable(view.boxes)];
  return [diceTable(view), ...scale, ...grids, formationsTable(view)];
}

function formingText(view: MosaixView, seat: number | null, names: readonly string[]): string {
  const symbols = symbolWords(view.dice ?? "");
  if (view.roller === seat) return t("mosaix.summary.forming.you", { symbols });
  return t("mosaix.summary.forming", { name: names[view.roller] ?? "", symbols });
}

function writingText(view: MosaixView, seat: number | null, names: readonly string[]): string {
  const values = { formation: view.formation ?? "", symbols: symbolWords(view.arrangement ?? "") };
  if (seat !== null && view.waiting.includes(seat)) return t("mosaix.summary.writing.you", values);
  const waiting = view.waiting.map((number) => names[number] ?? "").join(", ");
  return t("mosaix.summary.writing", { ...values, names: waiting });
}

function overText({ idle, patience }: MosaixView): string {
  return patience > 0 && idle === patience ? t("mosaix.summary.over.idle", { patience }) : t("mosaix.summary.over");
}

/** Whose turn it is and what is asked, in a sentence or two. */
export function summary(view: MosaixView, seat: number | null, names: readonly string[]): string {
  if (view.phase === "forming") return formingText(view, seat, names);
  if (view.phase === "writing") return writingText(view, seat, names);
  if (view.phase === "over") return overText(view);
  return view.phase === "dealing"
    ? t("mosaix.summary.dealing")
    : t("mosaix.summary.rolling", { name: names[view.roller] ?? "" });
}
