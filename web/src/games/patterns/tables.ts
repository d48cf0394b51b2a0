/** Patterns as tables, for those who read instead of look. */
import type { PatternsGroup, PatternsView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import type { TextTable } from "../module";
import { hasSpace, letters, markers, worthOf } from "./pieces";
import { colourWord, nameOf, tileWords } from "./words";

/** Bowls, rivers and the mandala, the seat's own first. */
export function tables(view: PatternsView, seat: number | null, names: readonly string[]): TextTable[] {
  const seats = seat === 1 ? [1, 0] : [0, 1];
  return [bowls(view, seats, names), rivers(view, seats, names), mandala(view, names)];
}

function bowls(view: PatternsView, seats: readonly number[], names: readonly string[]): TextTable {
  return {
    caption: t("patterns.table.bowls"),
    columns: [t("patterns.exchange-tile"), t("patterns.table.points")],
    rows: seats.map((seat) => {
      const held = view.bowls?.[seat];
      return { head: nameOf(names, seat), cells: [held ? colourWord(held) : "–", String(worthOf(view, seat))] };
    }),
  };
}

function rivers(view: PatternsView, seats: readonly number[], names: readonly string[]): TextTable {
  return {
    caption: t("patterns.table.rivers"),
    columns: markers.map((marker) => t("patterns.table.marker", { marker })),
    rows: seats.map((seat) => ({
      head: nameOf(names, seat),
      cells: markers.map((marker) => placeWords(view.groups[seat]?.find((group) => group.marker === marker))),
    })),
  };
}

function placeWords(group: PatternsGroup | undefined): string {
  if (!group) return t("patterns.table.free");
  const { colour, cells, worth } = group;
  return t("patterns.table.place", { colour: colourWord(colour), tiles: cells.length, points: worth });
}

function mandala(view: PatternsView, names: readonly string[]): TextTable {
  return {
    caption: t("patterns.mandala"),
    columns: letters,
    rows: letters.map((_, row) => ({
      head: String(row + 1),
      cells: letters.map((letter, column) =>
        hasSpace(column, row) ? tileWords(view, `${letter}${String(row + 1)}`, names) : "",
      ),
    })),
  };
}
