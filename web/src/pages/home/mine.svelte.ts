/** Games of mine, and how many there were last time, so that the page leaves room for them while they come. */
import { getMine } from "../../api/http";
import { Loaded } from "../../api/loaded.svelte";
import type { TableLine } from "../../api/wire";

const KEY = "mine";

/** How many games of mine were going on when this browser looked last. */
export function expected(): number {
  try {
    return Math.max(0, Number(localStorage.getItem(KEY)) || 0);
  } catch {
    return 0;
  }
}

function remember(lines: readonly TableLine[]): void {
  try {
    localStorage.setItem(KEY, String(lines.filter((line) => line.stage !== "over").length));
  } catch {
    // Then no room is left next time; nothing else is lost.
  }
}

/** Of the games that wait for me, those come first that have waited longest. */
const waited = (line: TableLine) => (line.my_turn ? line.last : 0);

async function fetched(): Promise<readonly TableLine[]> {
  const { tables } = await getMine();
  remember(tables);
  return [...tables].sort(
    (one, two) =>
      Number(two.my_turn) - Number(one.my_turn) ||
      Math.sign((one.left ?? Infinity) - (two.left ?? Infinity)) ||
      waited(one) - waited(two),
  );
}

/** My games, those that wait for me first, the most urgent before the others. */
export function mine(): Loaded<readonly TableLine[]> {
  return new Loaded(fetched);
}
