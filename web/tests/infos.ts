/** Games as the server tells of them, with what matters to a test. */
import type { GameInfo } from "../src/api/wire";

export function gameInfo(name: string, more: Partial<GameInfo>): GameInfo {
  return {
    name,
    title: name,
    authors: "",
    year: 2015,
    seats: [2],
    rules: 1,
    options: {},
    hints: {},
    bots: [],
    ready: 100,
    ...more,
  };
}

export const mozaika = gameInfo("mozaika", { seats: [1, 3, 4, 5], options: { hands: ["open", "hidden"] } });
