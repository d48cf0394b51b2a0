/** Keys of the board: which command a key gives. */
import { formations, type Formation } from "./pieces";

export type Command =
  | { readonly kind: "turn" | "cycle"; readonly by: number }
  | { readonly kind: "step"; readonly columns: number; readonly rows: number }
  | { readonly kind: "choose"; readonly formation: Formation }
  | { readonly kind: "write" };

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What a key means while the grid itself has the focus. */
function onGrid(key: string): Command | null {
  const step = steps[key];
  if (step) return { kind: "step", columns: step[0], rows: step[1] };
  return key === "Enter" ? { kind: "write" } : null;
}

function chosen(key: string): Formation | undefined {
  return formations[Number(key) - 1] ?? formations.find((formation) => formation === key.toUpperCase());
}

/** The command of a key, null if it has none. */
export function commandOf(event: KeyboardEvent, gridHasFocus: boolean): Command | null {
  const { key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  if (key === "r" || key === "R") return { kind: "turn", by: event.shiftKey ? -1 : 1 };
  if (key === "[" || key === "]") return { kind: "cycle", by: key === "]" ? 1 : -1 };
  const formation = chosen(key);
  if (formation) return { kind: "choose", formation };
  return gridHasFocus ? onGrid(key) : null;
}
