/** Which cells were written last on each grid, found by comparing what is shown with what was shown before. */
import type { Happening, MosaixView } from "../../api/wire";
import { cellName, isFormation, landing, readPlacement } from "./formation";

type Cells = readonly string[];

/** The cells that are filled now and were not, null where one has been emptied: then it is another story. */
function gained(before: Cells, now: Cells): string[] | null {
  const found: string[] = [];
  for (const [row, line] of now.entries())
    for (const [column, symbol] of [...line].entries()) {
      const old = before[row]?.[column] ?? ".";
      if (old !== symbol && old !== ".") return null;
      if (old !== symbol) found.push(cellName({ column, row }) ?? "");
    }
  return found;
}

type Asked = (event: Happening) => boolean | undefined;

function lastOf(fresh: readonly Happening[], isAsked: Asked): string | null | undefined {
  return fresh.filter(isAsked).at(-1)?.do;
}

/** The cells a seat wrote according to the events, if they tell the formation. */
function told(view: MosaixView, fresh: readonly Happening[], seat: number): Cells {
  const form = lastOf(fresh, (event) => event.do?.startsWith("form "))?.split(" ");
  const [formation, arrangement] = [form?.[1] ?? view.formation, form?.[2] ?? view.arrangement ?? ""];
  const place = lastOf(fresh, (event) => event.by === seat && event.do?.startsWith("place "));
  if (!place || !isFormation(formation)) return [];
  return landing(formation, arrangement, readPlacement(place.slice(6))).flatMap(({ cell }) => cell ?? []);
}

/** Remembers the grids that were shown. */
export class Traces {
  private grids: readonly Cells[] = [];
  private last: Cells[] = [];

  /** The cells written last on each grid, once this view is shown. */
  after(view: MosaixView, fresh: readonly Happening[]): readonly Cells[] {
    this.last = view.grids.map((grid, seat) => this.traced(grid.rows, view, fresh, seat));
    this.grids = view.grids.map((grid) => grid.rows);
    return this.last;
  }

  private traced(rows: Cells, view: MosaixView, fresh: readonly Happening[], seat: number): Cells {
    const before = this.grids[seat];
    const cells = before ? gained(before, rows) : null;
    if (cells?.length === 0) return this.last[seat] ?? [];
    return cells && cells.length <= 4 ? cells : told(view, fresh, seat);
  }
}
