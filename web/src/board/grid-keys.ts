/** Arrow keys over a grid of cells: one cell is in the tab order, the arrows walk from there. */
import type { Attachment } from "svelte/attachments";

export interface Place {
  column: number;
  row: number;
}

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The place a key leads to: the next cell that is there, Home and End the first and last of the row; null if none. */
export function nextPlace(
  from: Place,
  key: string,
  columns: number,
  rows: number,
  has: (column: number, row: number) => boolean,
): Place | null {
  if (key === "Home") return along({ column: -1, row: from.row }, 1, 0);
  if (key === "End") return along({ column: columns, row: from.row }, -1, 0);
  const step = steps[key];
  return step ? along(from, ...step) : null;

  function along({ column, row }: Place, dx: number, dy: number): Place | null {
    for (let n = 1; n <= Math.max(columns, rows); n++) {
      const place = { column: column + dx * n, row: row + dy * n };
      const isInside = place.column >= 0 && place.column < columns && place.row >= 0 && place.row < rows;
      if (isInside && has(place.column, place.row)) return place;
    }
    return null;
  }
}

/**
 * Roving focus: `<g {@attach gridKeys(7, 7, () => true)}>` round cells that were given their `column` and `row`.
 * Tab enters at the cell that was focused last.
 */
export function gridKeys(
  columns: number,
  rows: number,
  has: (column: number, row: number) => boolean,
): Attachment<Element> {
  return (grid) => {
    const keyed = (event: Event): void => {
      const key = event as KeyboardEvent;
      const from = placeOf(event.target);
      const to = from && !key.ctrlKey && !key.altKey && !key.metaKey && nextPlace(from, key.key, columns, rows, has);
      if (!to) return;
      event.preventDefault();
      rove(grid, to);
      cellAt(grid, to)?.focus();
    };
    // Not by listening for focus: some browsers make SVG groups with such listeners stops of the tab key.
    const pressed = (event: Event): void => {
      const place = placeOf(event.target);
      if (place) rove(grid, place);
    };
    grid.addEventListener("keydown", keyed);
    grid.addEventListener("pointerdown", pressed);
    rove(grid, placeOf(grid.querySelector("[data-column]")));
    return () => {
      grid.removeEventListener("keydown", keyed);
      grid.removeEventListener("pointerdown", pressed);
    };
  };
}

function placeOf(target: EventTarget | null): Place | null {
  const cell = target instanceof Element ? target.closest<SVGElement | HTMLElement>("[data-column]") : null;
  return cell && { column: Number(cell.dataset.column), row: Number(cell.dataset.row) };
}

function cellAt(grid: Element, { column, row }: Place): SVGElement | null {
  return grid.querySelector(`[data-column="${String(column)}"][data-row="${String(row)}"]`);
}

function rove(grid: Element, to: Place | null): void {
  const chosen = to && cellAt(grid, to);
  for (const cell of grid.querySelectorAll("[data-column]")) {
    cell.setAttribute("tabindex", cell === chosen ? "0" : "-1");
  }
}
