/** Patterns: A Mandala Game. */
import type { PatternsView } from "../../api/wire";
import type { GameModule } from "../module";
import Board from "./Board.svelte";
import { summary } from "./summary";
import { tables } from "./tables";
import { event, item, move, values } from "./words";

export const game: GameModule<PatternsView> = { name: "patterns", Board, tables, summary, move, event, item, values };
