/** What every game gives to the pages: a picture, and words. Boards draw and report; they hold no rules. */
import type { Component } from "svelte";
import type { Because, Happening, Item } from "../api/wire";

/** What a board is given. It sends moves as they stand in a record, and only ones from `legal` or `change`. */
export interface BoardProps<View> {
  view: View;
  /** Events that led to this view since the last one that was shown; empty when jumping. */
  fresh: readonly Happening[];
  /** What was done in the last round or two, the newest last, also when jumping: for marking it. */
  recent: readonly Happening[];
  /** Whose eyes and hands these are; null for onlookers and replays. */
  seat: number | null;
  acting: readonly number[];
  legal: readonly string[];
  /** What can be done instead of what has been done, such as another bid. */
  change: readonly string[];
  score: readonly Item[];
  names: readonly string[];
  /** A move is on its way, or done and not shown yet: show it, take no second one. */
  busy: boolean;
  /** While the end is counted out: the line of the score to show on the board. */
  counted: Item | null;
  /** Play these moves, one after the other. */
  onmove: (...moves: string[]) => void;
  /** Ask why a move is not possible; the answer comes from the rules. */
  onwhy: (move: string) => Promise<Because>;
}

/** What a picture of a table is given; it fills 1200 × 630 units of an SVG, and nothing in it can be pressed. */
export interface PictureProps<View> {
  view: View;
  /** What was done in the last round or two, the newest last. */
  recent: readonly Happening[];
  score: readonly Item[];
  /** Who has won, once the game is over. */
  winners: readonly number[];
}

/** A board, a hand, dice: for those who read instead of look. */
export interface TextTable {
  caption: string;
  columns: readonly string[];
  rows: readonly { head: string; cells: readonly string[] }[];
  /** Lines below it. */
  notes?: readonly string[];
}

export interface GameModule<View = unknown> {
  name: string;
  /** The board as it is drawn; null where nobody has drawn one, and the table is shown in words. */
  Board: Component<BoardProps<View>> | null;
  /** Everything on the table as tables, the seat's own things first. */
  tables: (view: View, seat: number | null, names: readonly string[]) => TextTable[];
  /** One or two sentences: whose turn, what is asked, what lies open; empty where the game has no words for it. */
  summary: (view: View, seat: number | null, names: readonly string[]) => string;
  /** A move in words, as a button or a line of a list says it: "Lay red 1 on b3 (+2 coins)". */
  move: (move: string, view: View) => string;
  /**
   * An event in words, as the log tells it: "Ada bids 3". `by` is null for chance, `move` null for a secret; `earlier`
   * is what happened before, the newest last.
   */
  event: (by: number | null, move: string | null, names: readonly string[], earlier: readonly Happening[]) => string;
  /** A line of the score in words. */
  item: (item: Item) => string;
  /** The values of a refusal in words: colours, tiles and symbols translated. */
  values: (values: Readonly<Record<string, unknown>>, names: readonly string[]) => Record<string, string | number>;
}
