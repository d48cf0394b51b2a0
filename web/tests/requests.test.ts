import { beforeEach, expect, test } from "vitest";
import type { FromPage, Refusal } from "../src/api/wire";
import type { LiveTable } from "../src/table/line/live.svelte";
import { tableOn } from "./line";

const ask = { t: "ask", seat: 0, what: "end" } as const;
const refusal = (id: string | null): Refusal => ({
  t: "refused",
  id,
  rule: "",
  reason: "table.asked",
  values: {},
  sentence: "",
});

const sent: FromPage[] = [];
let live: LiveTable;

beforeEach(() => {
  sent.length = 0;
  live = tableOn(sent);
  live.opened();
  sent.length = 0;
});

test("a request is on its way until it is done, and a second press does nothing meanwhile", () => {
  live.requests.make(ask);
  live.requests.make(ask);
  expect(sent).toEqual([{ ...ask, id: "id1" }]);
  expect(live.requests.busy).toBe(true);
  live.received({ t: "done", id: "id1" });
  expect(live.requests.busy).toBe(false);
});

test("a request that may be lost is sent again with the same id, and not once it is done", () => {
  live.closed("lost");
  live.requests.make(ask);
  expect(sent).toEqual([]);
  live.opened();
  expect(sent.at(-1)).toEqual({ ...ask, id: "id1" });
  live.received({ t: "done", id: "id1" });
  live.closed("lost");
  sent.length = 0;
  live.opened();
  expect(sent.filter((message) => message.t === "ask")).toEqual([]);
});

test("a refusal of a request is no refusal of a move", () => {
  live.requests.make(ask);
  live.received(refusal("id1"));
  expect([live.requests.busy, live.requests.refusal?.reason, live.refusal]).toEqual([false, "table.asked", null]);
  live.requests.dismissRefusal();
  expect(live.requests.refusal).toBeNull();
});
