/** Everything on the table as tables, for those who read instead of look. */
import type { MosaixGrid, MosaixView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import type { TextTable } from "../module";
import { boxes as allBoxes, cellName, columns, formations, turnedShape, type Formation } from "./pieces";
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
  return { caption: t("mosaix.table.grid", { name, points: grid.worth }), columns, rows };
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
