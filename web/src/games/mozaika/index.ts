/** Mozaika for the pages: its board, and its words. */
import type { MozaikaView } from "../../api/wire";
import type { GameModule } from "../module";
import Board from "./Board.svelte";
import { tables } from "./tables";
import { event, item, move, summary, values } from "./telling";

export const game: GameModule<MozaikaView> = { name: "mozaika", Board, tables, summary, move, event, item, values };
