import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ToPage } from "../src/api/wire";
import { Backoff, type Line } from "../src/table/line/backoff";
import { Connection } from "../src/table/line/connection";

describe("a lost line", () => {
  const backoff = () => new Backoff();
  const waits = (code: number, from = backoff()) => Array.from({ length: 6 }, () => from.after(code).wait);

  test("is tried again after 0.3 s, doubling to 5 s; something heard begins anew", () => {
    const from = backoff();
    expect(waits(1006, from)).toEqual([300, 600, 1200, 2400, 4800, 5000]);
    from.reset();
    expect(from.after(1006)).toEqual({ line: "lost", wait: 300 });
  });

  test.each([
    [4404, "gone"],
    [4403, "barred"],
  ])("that was closed with %d is given up: %s", (code, line) => {
    expect(backoff().after(code)).toEqual({ line, wait: null });
  });

  test.each([
    [4429, "limited"],
    [1013, "busy"],
  ])("that was closed with %d is tried seldom: %s", (code, line) => {
    expect(waits(code)).toEqual([2000, 4000, 8000, 16000, 30000, 30000]);
    expect(backoff().after(code).line).toBe(line);
  });

  test("that broke at the server is like any lost one", () => {
    expect(backoff().after(1011)).toEqual({ line: "lost", wait: 300 });
  });

  test("waits for rules that are being compiled", () => {
    expect(backoff().after(4503).line).toBe("compiling");
    expect(waits(4503)).toEqual([5000, 5000, 5000, 5000, 5000, 5000]);
  });
});

/** What a browser would open; tests open and close it. */
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];

  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly address: string) {
    Socket.made.push(this);
  }

  send(message: string): void {
    this.sent.push((JSON.parse(message) as { t: string }).t);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  tell(message: ToPage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

describe("a connection", () => {
  const happened: string[] = [];
  let isUrgent = false;
  let connection: Connection;
  const last = () => Socket.made.at(-1) as Socket;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("window", new EventTarget());
    vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
    [Socket.made, happened.length, isUrgent] = [[], 0, false];
    connection = new Connection("wss://house/table");
    connection.open({
      get isUrgent() {
        return isUrgent;
      },
      opened: () => void happened.push("opened"),
      received: (message: ToPage) => void happened.push(message.t),
      closed: (line: Line, reason: string) => void happened.push(`${line} ${reason}`.trim()),
    });
  });

  afterEach(() => {
    connection.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("tells what comes, and that the page is in sight", () => {
    connection.send({ t: "ping" });
    last().open();
    last().tell({ t: "done", id: "id1" });
    last().tell({ t: "pong" });
    expect(happened).toEqual(["opened", "done"]);
    expect(last().sent).toEqual(["eyes"]);
  });

  test("comes back by itself, and at once when asked to", () => {
    last().onclose?.({ code: 1006, reason: "" });
    vi.advanceTimersByTime(299);
    expect(Socket.made).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(Socket.made).toHaveLength(2);
    last().onclose?.({ code: 1006, reason: "" });
    connection.retry();
    expect(Socket.made).toHaveLength(3);
  });

  test("is given up where the table is gone", () => {
    last().onclose?.({ code: 4404, reason: "" });
    vi.advanceTimersByTime(60_000);
    connection.retry();
    expect([Socket.made.length, happened]).toEqual([1, ["gone"]]);
  });

  test("is closed when the page goes, and nothing brings it back", () => {
    last().open();
    connection.close();
    window.dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(60_000);
    expect([Socket.made.length, last().readyState, happened]).toEqual([1, 3, ["opened"]]);
  });

  test.each([
    [true, 5_000],
    [false, 20_000],
  ])("that does not answer is noticed, sooner where time is short: %s", (isShort, ping) => {
    isUrgent = isShort;
    last().open();
    vi.advanceTimersByTime(ping + 6_999);
    expect(happened).toEqual(["opened"]);
    vi.advanceTimersByTime(1);
    expect(happened).toEqual(["opened", "lost"]);
  });

  test("that answers stays", () => {
    last().open();
    vi.advanceTimersByTime(20_000);
    last().tell({ t: "pong" });
    vi.advanceTimersByTime(10_000);
    expect(happened).toEqual(["opened"]);
  });
});
