/** Mozaika for the pages: its board, and its words. */
import type { MozaikaView } from "../../api/wire";
import type { GameModule } from "../module";
import Board from "./Board.svelte";
import { summary } from "./summary";
import { tables } from "./tables";
import { event, item, move, values } from "./words";

export const game: GameModule<MozaikaView> = { name: "mozaika", Board, tables, summary, move, event, item, values };
