import { beforeEach, describe, expect, test } from "vitest";
import type { FromPage, State, Table } from "../src/api/wire";
import { merged, type LiveTable } from "../src/table/live";
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
    live.closed(1006);
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
    live.play("bid 3");
    expect(sent).toEqual([{ t: "do", id: "id1", n: 5, seat: 1, do: "bid 3" }]);
    live.received(state(6, { seat: 1, events: [event(6, null)] }));
    expect(live.busy).toBe(true);
    live.received(state(7, { seat: 1, events: [event(7, "bid 3", "id1")] }));
    expect(live.busy).toBe(false);
  });

  test("tells which state has confirmed it, until one looks from elsewhere", () => {
    seated();
    live.play("bid 3");
    live.received(state(6, { seat: 1 }));
    expect(live.confirmed).toBe(0);
    live.received(state(7, { seat: 1, events: [event(7, "bid 3", "id1")] }));
    expect(live.confirmed).toBe(7);
    live.look(0);
    expect(live.confirmed).toBe(0);
  });

  test("is sent again with the same id and number after a lost line", () => {
    seated();
    live.play("bid 3");
    live.closed(1006);
    live.opened();
    expect(sent.slice(1)).toEqual([{ t: "look", seat: 1, since: 5, heard: 0 }, sent[0]]);
  });

  test("on which the line breaks each time is given up", () => {
    seated();
    live.play("bid 3");
    for (let time = 0; time < 4; time += 1) {
      live.closed(1011);
      live.opened();
    }
    expect(sent.filter((message) => message.t === "do")).toHaveLength(4);
    expect([live.busy, live.refusal?.reason]).toEqual([false, "table.server"]);
  });

  test("made while the line is lost is sent when it is back", () => {
    seated();
    live.closed(1006);
    live.play("bid 3");
    expect(sent).toEqual([]);
    live.opened();
    expect(sent.at(-1)).toMatchObject({ t: "do", id: "id1", do: "bid 3" });
  });

  test("follows another when that is confirmed, with the new number", () => {
    seated();
    live.play("form I ooxt", "place 0 1,1");
    expect(sent).toHaveLength(1);
    live.received(state(6, { seat: 1, events: [event(6, "form I ooxt", "id1")] }));
    expect(sent[1]).toEqual({ t: "do", id: "id2", n: 6, seat: 1, do: "place 0 1,1" });
    expect(live.busy).toBe(true);
  });

  test("that is refused ends all that were to follow", () => {
    seated();
    live.play("form I ooxt", "place 0 1,1");
    live.received(refused("id1"));
    expect([live.busy, live.refusal?.rule]).toEqual([false, "MX-5"]);
  });

  test("is not disturbed by the refusal of another", () => {
    seated();
    live.play("bid 3");
    live.received(refused("other"));
    expect([live.busy, live.refusal]).toEqual([true, null]);
  });

  test("waits for the one before: no second one while busy, none for onlookers", () => {
    seated();
    live.play("bid 3");
    live.play("bid 4");
    expect(sent).toHaveLength(1);
    live.look(null);
    live.received(state(5));
    live.play("bid 5");
    expect(sent.filter((message) => message.t === "do")).toHaveLength(1);
  });
});

describe("a question", () => {
  test("is answered by its id, also over a lost line", async () => {
    seated();
    const because = live.why("place 0 1,1");
    live.closed(1006);
    live.opened();
    expect(sent.filter((message) => message.t === "why")).toHaveLength(2);
    live.received({ ...refused("id1"), t: "because", id: "id1", legal: false, final: "" });
    expect((await because).rule).toBe("MX-5");
  });

  test("about a seat that is not looked from any more comes to nothing, and nobody waits for ever", async () => {
    seated();
    const because = live.why("place 0 1,1");
    live.look(null);
    expect(await because).toMatchObject({ id: "id1", legal: true, final: "", reason: "" });
    live.received({ ...refused("id1"), t: "because", id: "id1", legal: false, final: "" });
    live.closed(1006);
    sent.length = 0;
    live.opened();
    expect(sent.filter((message) => message.t === "why")).toEqual([]);
  });

  test("that cannot be answered is answered by the refusal", async () => {
    seated();
    const because = live.why("nonsense");
    live.received(refused("id1"));
    expect([(await because).legal, live.refusal]).toEqual([false, null]);
  });
});

describe("a lost line", () => {
  test("is tried again after 0.3 s, doubling to 5 s; a message begins anew", () => {
    const waits = Array.from({ length: 6 }, () => live.closed(1006));
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 5000]);
    live.opened();
    live.received({ t: "pong" });
    expect(live.closed(1006)).toBe(300);
  });

  test("is given up where the table is gone or closed to us", () => {
    expect([live.closed(4404), live.line]).toEqual([null, "gone"]);
    expect([live.closed(4403, "table.private"), live.line, live.reason]).toEqual([null, "barred", "table.private"]);
  });

  test.each([
    [4429, "often"],
    [1013, "busy"],
  ])("that was closed with %d is tried seldom: %s", (code, line) => {
    const waits = Array.from({ length: 6 }, () => live.closed(code));
    expect([waits, live.line]).toEqual([[2000, 4000, 8000, 16000, 30000, 30000], line]);
  });

  test("that broke at the server is like any lost one", () => {
    expect([live.closed(1011), live.line]).toEqual([300, "lost"]);
  });

  test("waits for rules that are being compiled", () => {
    expect([live.closed(4503, "mosaix"), live.line, live.reason]).toEqual([5000, "compiling", "mosaix"]);
    expect(live.closed(4503)).toBe(5000);
    live.opened();
    expect(live.line).toBe("open");
  });
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
    live.play("bid 7");
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
