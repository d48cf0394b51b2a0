/** The three symbols as glass. */
import type { Colour, Shape } from "../../board/glass";

export const symbols = ["o", "t", "x"] as const;

export interface SymbolGlass {
  readonly colour: Colour;
  readonly shape: Shape;
}

const circle: SymbolGlass = { colour: "teal", shape: "round" };
const glasses: Record<string, SymbolGlass> = {
  o: circle,
  t: { colour: "orange", shape: "triangle" },
  x: { colour: "plum", shape: "cross" },
};

/** The glass of a symbol. */
export function glassOf(symbol: string): SymbolGlass {
  return glasses[symbol] ?? circle;
}
