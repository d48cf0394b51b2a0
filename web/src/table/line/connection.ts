/** The connection to a table: a WebSocket that comes back by itself and notices when it is dead. */
import type { FromPage, ToPage } from "../../api/wire";
import { Backoff, type Line } from "./backoff";

const TICK = 5_000;
/** How many ticks a ping may wait for where nobody's time is short. */
const CALM = 4;
const PONG_WITHIN = 7_000;

/** Who is told what happens to a connection, and what comes over it. */
export interface Listener {
  /** Whether somebody's time is short, so that a dead line has to be noticed soon. */
  readonly isUrgent: boolean;
  opened(): void;
  received(message: ToPage): void;
  closed(line: Line, reason: string): void;
}

/** Where a table is told live. */
export function addressOf(id: string, watchKey: string | null): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const watch = watchKey ? `?watch=${encodeURIComponent(watchKey)}` : "";
  return `${scheme}://${location.host}/api/tables/${encodeURIComponent(id)}/live${watch}`;
}

/** A connection to an address; `close` it when the page goes. */
export class Connection {
  private listener: Listener | null = null;
  private readonly backoff = new Backoff();
  private socket: WebSocket | null = null;
  private again: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private ticks = 0;

  private readonly hurry = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.again !== undefined) this.connect();
    // A line that slept with the device may only seem to be open.
    else this.ping();
  };
  /** Whoever has the table in sight needs no notice of it. */
  private readonly tellVisible = (): void => this.send({ t: "eyes", open: document.visibilityState === "visible" });

  constructor(private readonly address: string) {}

  /** Connect, and tell the listener everything from now on. */
  open(listener: Listener): void {
    this.listener = listener;
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    document.addEventListener("visibilitychange", this.tellVisible);
    this.connect();
  }

  /** Send a message, if the line is open. */
  send(message: FromPage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Connect now, not when the next try is due. */
  retry(): void {
    if (this.again !== undefined) this.connect();
  }

  /** Leave for good. */
  close(): void {
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    document.removeEventListener("visibilitychange", this.tellVisible);
    this.letGo();
  }

  private connect(): void {
    this.letGo();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (message) => this.received(JSON.parse(String(message.data)) as ToPage);
    socket.onclose = (event) => this.lost(event.code, event.reason);
  }

  private opened(): void {
    this.pinging = setInterval(() => this.tick(), TICK);
    this.listener?.opened();
    this.tellVisible();
  }

  private received(message: ToPage): void {
    this.backoff.reset();
    if (message.t === "pong") this.stopWaiting();
    else this.listener?.received(message);
  }

  /** A line that is dead has to be noticed soon where a live clock runs; the server gives twelve seconds for it. */
  private tick(): void {
    this.ticks += 1;
    if (this.listener?.isUrgent || this.ticks % CALM === 0) this.ping();
  }

  private ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ t: "ping" });
    this.waiting ??= setTimeout(() => this.lost(0), PONG_WITHIN);
  }

  private stopWaiting(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private lost(code: number, reason = ""): void {
    this.letGo();
    const { line, wait } = this.backoff.after(code);
    this.listener?.closed(line, reason);
    if (wait !== null) this.again = setTimeout(() => this.connect(), wait);
  }

  private letGo(): void {
    clearTimeout(this.again);
    this.stopWaiting();
    clearInterval(this.pinging);
    this.again = undefined;
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
