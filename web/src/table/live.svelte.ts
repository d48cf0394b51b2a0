/** The live connection of a table: a WebSocket that comes back by itself, and what it told, for the page to show. */
import type { Because, FromPage, Happening, Presence, Refusal, Say, State, Table, ToPage, Words } from "../api/wire";
import { LiveTable, type Line } from "./live";
import type { Unsent } from "./wishes";

const TICK = 5_000;
/** How many ticks a ping may wait for where nobody's time is short. */
const CALM = 4;
const PONG_WITHIN = 7_000;

/** Where a table's live line is. */
function address(id: string, watchKey: string | null): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const watch = watchKey ? `?watch=${encodeURIComponent(watchKey)}` : "";
  return `${scheme}://${location.host}/api/tables/${encodeURIComponent(id)}/live${watch}`;
}

/** A table on the line; `close` it when the page goes. */
export class Live {
  line = $state.raw<Line>("connecting");
  reason = $state.raw("");
  table = $state.raw<Table | null>(null);
  presence = $state.raw<Presence | null>(null);
  state = $state.raw<State | null>(null);
  events = $state.raw<readonly Happening[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  busy = $state(false);
  confirmed = $state(0);
  words = $state.raw<readonly Words[]>([]);
  talkRefusal = $state.raw<Refusal | null>(null);
  unsaid = $state.raw("");
  wishRefusal = $state.raw<Refusal | null>(null);

  private readonly known: LiveTable;
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
  private readonly glance = (): void => this.send({ t: "eyes", open: document.visibilityState === "visible" });

  constructor(
    private readonly id: string,
    private readonly watchKey: string | null,
    private readonly onmessage: (message: ToPage) => void = () => {},
  ) {
    this.known = new LiveTable(
      (message) => this.send(message),
      () => this.mirror(),
    );
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    document.addEventListener("visibilitychange", this.glance);
    this.connect();
  }

  /** The seat we look from; null as an onlooker. */
  get seat(): number | null {
    return this.known.seat;
  }

  takeNonce(id: string): string | undefined {
    return this.known.takeNonce(id);
  }

  look(seat: number | null): void {
    this.known.look(seat);
  }

  play(...moves: readonly string[]): void {
    this.known.play(...moves);
  }

  why(move: string, after: readonly string[] = []): Promise<Because> {
    return this.known.why(move, after);
  }

  forgive(): void {
    this.known.forgive();
  }

  say(what: Omit<Say, "t" | "id">): void {
    this.known.talk.say(what);
    this.mirror();
  }

  /** Why words were refused has been read. */
  forgiveTalk(): void {
    this.known.talk.forgive();
    this.mirror();
  }

  /** Ask for something beside the game. */
  wish(what: Unsent): void {
    this.known.wishes.wish(what);
    this.mirror();
  }

  /** Why a wish was refused has been read. */
  forgiveWish(): void {
    this.known.wishes.forgive();
    this.mirror();
  }

  /** Connect now, not when the next try is due. */
  retry(): void {
    if (this.again !== undefined) this.connect();
  }

  /** Leave the table's line for good. */
  close(): void {
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    document.removeEventListener("visibilitychange", this.glance);
    this.letGo();
  }

  private connect(): void {
    this.letGo();
    const socket = new WebSocket(address(this.id, this.watchKey));
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (message) => this.received(JSON.parse(String(message.data)) as ToPage);
    socket.onclose = (event) => this.lost(event.code, event.reason);
  }

  private opened(): void {
    this.pinging = setInterval(() => this.tick(), TICK);
    this.known.opened();
    this.glance();
  }

  private received(message: ToPage): void {
    if (message.t === "pong") this.heard();
    this.known.received(message);
    // A state that was put aside is nobody's to see.
    if (message.t !== "state" || message === this.known.state) this.onmessage(message);
  }

  /** A line that is dead has to be noticed soon where a live clock runs; the server gives twelve seconds for it. */
  private tick(): void {
    this.ticks += 1;
    const isShort = this.table?.stage === "playing" && this.table.terms.clock?.kind === "live";
    if (isShort || this.ticks % CALM === 0) this.ping();
  }

  private ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ t: "ping" });
    this.waiting ??= setTimeout(() => this.lost(0), PONG_WITHIN);
  }

  private heard(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private lost(code: number, reason = ""): void {
    this.letGo();
    const wait = this.known.closed(code, reason);
    if (wait !== null) this.again = setTimeout(() => this.connect(), wait);
  }

  private letGo(): void {
    clearTimeout(this.again);
    this.heard();
    clearInterval(this.pinging);
    this.again = undefined;
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private send(message: FromPage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private mirror(): void {
    this.line = this.known.line;
    this.reason = this.known.reason;
    this.table = this.known.table;
    this.presence = this.known.presence;
    this.state = this.known.state;
    this.events = this.known.events;
    this.refusal = this.known.refusal;
    this.busy = this.known.busy;
    this.confirmed = this.known.confirmed;
    this.words = this.known.talk.words;
    this.talkRefusal = this.known.talk.refusal;
    this.unsaid = this.known.talk.unsaid;
    this.wishRefusal = this.known.wishes.refusal;
  }
}
