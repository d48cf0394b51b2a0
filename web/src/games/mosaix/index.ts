/** Mosaix for the pages: its board and its words. */
import type { MosaixView } from "../../api/wire";
import type { GameModule } from "../module";
import Board from "./Board.svelte";
import { summary, tables } from "./reading";
import { eventText, itemText, moveText, valueWords } from "./words";

export const game: GameModule<MosaixView> = {
  name: "mosaix",
  Board,
  tables,
  summary,
  move: moveText,
  event: eventText,
  item: itemText,
  values: valueWords,
};
