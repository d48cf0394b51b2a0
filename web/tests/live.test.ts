import { beforeEach, describe, expect, test } from "vitest";
import type { FromPage, State, Table, ToPage } from "../src/api/wire";
import { merged } from "../src/table/line/events";
import { LiveTable } from "../src/table/line/live.svelte";
import { happening } from "./happenings";
import { tableOn } from "./line";

const event = (n: number, move: string | null, id: string | null = null) => happening(n, 0, move, { id });

const state = (n: number, more: Partial<State> = {}): State => ({
  t: "state",
  n,
  seat: null,
  since: n - 1,
  events: [],
  view: {},
  acting: [],
  legal: [],
  change: [],
  asked: n,
  secret: false,
  score: [],
  scores: [],
  winners: [],
  verdict: "",
  back: [],
  ...more,
});

const refused = (id: string | null) =>
  ({ t: "refused", id, rule: "MX-5", reason: "mosaix.taken", values: {}, sentence: "" }) as const;

const sent: FromPage[] = [];
let live: LiveTable;

beforeEach(() => {
  sent.length = 0;
  live = tableOn(sent);
});

/** A line on which seat 1 sees state 5, with nothing sent since. */
function seated(): void {
  live.look(1);
  live.opened();
  live.received(state(5, { seat: 1 }));
  sent.length = 0;
}

describe("events", () => {
  test("a secret is told again when it is shown, and keeps its place", () => {
    const events = merged([event(1, "deal"), event(2, null)], [event(3, "bid 1"), event(2, "bid 4")]);
    expect(events.map((one) => one.do)).toEqual(["deal", "bid 4", "bid 1"]);
  });

  test("a late old state changes nothing", () => {
    seated();
    live.received(state(4, { seat: 1 }));
    expect(live.state?.n).toBe(5);
  });
});

describe("looking", () => {
  test("begins with everything, and goes on from the last number", () => {
    live.opened();
    expect(sent).toEqual([{ t: "look", seat: null, since: 0, heard: 0 }]);
    live.received(state(7));
    live.closed("lost");
    live.opened();
    expect(sent.at(-1)).toEqual({ t: "look", seat: null, since: 7, heard: 0 });
  });

  test("from another seat forgets all that was seen", () => {
    seated();
    live.received(state(6, { seat: 1, events: [event(6, "bid 3")] }));
    live.look(null);
    expect([live.state, live.events, live.busy]).toEqual([null, [], false]);
    expect(sent).toEqual([{ t: "look", seat: null, since: 0, heard: 0 }]);
  });

  test("a state for the seat before is not taken", () => {
    seated();
    live.look(null);
    live.received(state(6, { seat: 1, events: [event(6, "bid 3")] }));
    expect([live.state, live.events]).toEqual([null, []]);
  });
});

describe("a move", () => {
  test("names the state it answers and is busy until its id comes back", () => {
    seated();
    live.submit(["bid 3"]);
    expect(sent).toEqual([{ t: "do", id: "id1", n: 5, seat: 1, do: "bid 3" }]);
    live.received(state(6, { seat: 1, events: [event(6, null)] }));
    expect(live.busy).toBe(true);
    live.received(state(7, { seat: 1, events: [event(7, "bid 3", "id1")] }));
    expect(live.busy).toBe(false);
  });

  test("tells which state has confirmed it, until one looks from elsewhere", () => {
    seated();
    live.submit(["bid 3"]);
    live.received(state(6, { seat: 1 }));
    expect(live.confirmed).toBe(0);
    live.received(state(7, { seat: 1, events: [event(7, "bid 3", "id1")] }));
    expect(live.confirmed).toBe(7);
    live.look(0);
    expect(live.confirmed).toBe(0);
  });

  test("is sent again with the same id and number after a lost line", () => {
    seated();
    live.submit(["bid 3"]);
    live.closed("lost");
    live.opened();
    expect(sent.slice(1)).toEqual([{ t: "look", seat: 1, since: 5, heard: 0 }, sent[0]]);
  });

  test("on which the line breaks each time is given up", () => {
    seated();
    live.submit(["bid 3"]);
    for (let time = 0; time < 4; time += 1) {
      live.closed("lost");
      live.opened();
    }
    expect(sent.filter((message) => message.t === "do")).toHaveLength(4);
    expect([live.busy, live.refusal?.reason]).toEqual([false, "table.server"]);
  });

  test("made while the line is lost is sent when it is back", () => {
    seated();
    live.closed("lost");
    live.submit(["bid 3"]);
    expect(sent).toEqual([]);
    live.opened();
    expect(sent.at(-1)).toMatchObject({ t: "do", id: "id1", do: "bid 3" });
  });

  test("of several parts is one message, confirmed or refused as a whole", () => {
    seated();
    live.submit(["form I ooxt", "place 0 1,1"]);
    expect(sent).toEqual([{ t: "do", id: "id1", n: 5, seat: 1, do: ["form I ooxt", "place 0 1,1"] }]);
    live.received(state(7, { seat: 1, events: [event(6, "form I ooxt", "id1"), event(7, "place 0 1,1", "id1")] }));
    expect([sent.length, live.busy, live.confirmed]).toEqual([1, false, 7]);
    live.submit(["form I ooxt", "place 0 1,1"]);
    live.received(refused("id2"));
    expect([live.busy, live.refusal?.rule]).toEqual([false, "MX-5"]);
  });

  test("is not disturbed by the refusal of another", () => {
    seated();
    live.submit(["bid 3"]);
    live.received(refused("other"));
    expect([live.busy, live.refusal]).toEqual([true, null]);
  });

  test("waits for the one before: no second one while busy, none for onlookers", () => {
    seated();
    live.submit(["bid 3"]);
    live.submit(["bid 4"]);
    expect(sent).toHaveLength(1);
    live.look(null);
    live.received(state(5));
    live.submit(["bid 5"]);
    expect(sent.filter((message) => message.t === "do")).toHaveLength(1);
  });
});

describe("a question", () => {
  test("is answered by its id, also over a lost line", async () => {
    seated();
    const because = live.why("place 0 1,1");
    live.closed("lost");
    live.opened();
    expect(sent.filter((message) => message.t === "why")).toHaveLength(2);
    live.received({ ...refused("id1"), t: "because", id: "id1", legal: false, final: "" });
    expect((await because).rule).toBe("MX-5");
  });

  test("about several moves is asked once, for all of them", () => {
    seated();
    void live.why("form I ooxt", "place 0 1,1");
    void live.why("place 0 1,1");
    expect(sent).toEqual([
      { t: "why", id: "id1", seat: 1, do: ["form I ooxt", "place 0 1,1"] },
      { t: "why", id: "id2", seat: 1, do: "place 0 1,1" },
    ]);
  });

  test("about a seat that is not looked from any more comes to nothing, and nobody waits for ever", async () => {
    seated();
    const because = live.why("place 0 1,1");
    live.look(null);
    expect(await because).toMatchObject({ id: "id1", legal: true, final: "", reason: "" });
    live.received({ ...refused("id1"), t: "because", id: "id1", legal: false, final: "" });
    live.closed("lost");
    sent.length = 0;
    live.opened();
    expect(sent.filter((message) => message.t === "why")).toEqual([]);
  });

  test.each(["gone", "barred"] as const)("at a table that is %s comes to nothing", async (line) => {
    seated();
    const because = live.why("place 0 1,1");
    live.closed(line);
    expect(await because).toMatchObject({ id: "id1", legal: true, final: "" });
  });

  test("that cannot be answered is answered by the refusal", async () => {
    seated();
    const because = live.why("nonsense");
    live.received(refused("id1"));
    expect([(await because).legal, live.refusal]).toEqual([false, null]);
  });
});

test("a line that is closed says how it stands, and why", () => {
  live.closed("compiling", "mosaix");
  expect([live.line, live.reason]).toEqual(["compiling", "mosaix"]);
  live.opened();
  expect(live.line).toBe("open");
});

test("only where a live clock runs a dead line is urgent", () => {
  const table = (stage: string, kind: string) => ({ t: "table", stage, terms: { clock: { kind } } }) as Table;
  const urgent = [table("playing", "live"), table("playing", "slow"), table("over", "live")].map((told) => {
    live.received(told);
    return live.isUrgent;
  });
  expect(urgent).toEqual([true, false, false]);
});

test("a state that was put aside is told to nobody", () => {
  const taken: ToPage[] = [];
  live = new LiveTable({ send: () => {} }, (message) => void taken.push(message));
  live.received(state(5, { seat: 1 }));
  expect(taken).toEqual([]);
  live.received(state(5));
  expect(taken).toEqual([live.state]);
});

test("people and presence are kept as they come", () => {
  live.received({ t: "table", id: "x" } as Table);
  live.received({ t: "presence", seats: [true, false], watching: 2, absent: [null, 60], host_absent: null });
  expect([live.table?.id, live.presence?.watching]).toEqual(["x", 2]);
});

describe("a decision under seal", () => {
  const bid = () => sent.filter((message) => message.t === "do")[0];

  beforeEach(() => {
    live.opened();
    live.look(0);
    live.received(state(1, { seat: 0, secret: true }));
    live.submit(["bid 7"]);
  });

  test("is sealed with something made up for it, which is given away once and forgotten", () => {
    const { id = "", nonce } = bid() ?? {};
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    expect(live.takeNonce(id)).toBe(nonce);
    expect(live.takeNonce(id)).toBeUndefined();
  });

  test("is forgotten when the screen turns to somebody else", () => {
    live.look(null);
    expect(live.takeNonce(bid()?.id ?? "")).toBeUndefined();
  });
});
