/** A table at the end of a line, without a network. */
import type { FromPage } from "../src/api/wire";
import { LiveTable } from "../src/table/line/live.svelte";

/** A table that adds what it sends to a list; its ids are counted: id1, id2, … */
export function tableOn(sent: FromPage[]): LiveTable {
  let ids = 0;
  const connection = { send: (message: FromPage) => void sent.push(message) };
  return new LiveTable(
    connection,
    () => {},
    () => `id${String((ids += 1))}`,
  );
}
