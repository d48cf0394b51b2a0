/** One table as it comes down the line: messages merged, moves confirmed, the next step after a lost line. No DOM. */
import type { Because, FromPage, Happening, Presence, Refusal, State, Table, ToPage } from "../api/wire";
import { freshNonce } from "../fairness/proof";
import { Conversation } from "./conversation";
import { Wishes } from "./wishes";

/** How the line stands; the last two are final. */
export type Line = "connecting" | "open" | "lost" | "often" | "busy" | "compiling" | "gone" | "barred";

/** A move on its way; `n` is fixed when it is first sent, so that sending it again is harmless. */
interface Sent {
  readonly id: string;
  readonly seat: number;
  readonly do: string;
  /** Of a decision under seal. */
  readonly nonce: string | null;
  n: number | null;
  times: number;
}

interface Question {
  readonly seat: number;
  readonly do: string;
  readonly after: readonly string[];
  readonly answer: (because: Because) => void;
}

const FINAL: Readonly<Record<number, Line>> = { 4404: "gone", 4403: "barred" };

/** How a line stands until it comes back, and after how many milliseconds it is tried, doubling from first to longest. */
interface Break {
  readonly line: Line;
  readonly first: number;
  readonly longest: number;
}

const LOST: Break = { line: "lost", first: 300, longest: 5_000 };
/** By the code it was closed with; whoever came too often, or to a full house, must not come at once. */
const BREAKS: Readonly<Record<number, Break>> = {
  4429: { line: "often", first: 2_000, longest: 30_000 },
  1013: { line: "busy", first: 2_000, longest: 30_000 },
  4503: { line: "compiling", first: 5_000, longest: 5_000 },
};
/** A move on which the line breaks each time must not break it for ever. */
const MOST_TIMES = 4;
/** What a question comes to when the seat it was about is not looked from any more: nothing to say. */
const FORGOTTEN = { t: "because", legal: true, rule: "", reason: "", values: {}, sentence: "", final: "" } as const;
const UNANSWERED = { t: "refused", rule: "", reason: "table.server", values: {}, sentence: "no answer" } as const;

/** An id nobody else makes; `randomUUID` exists only on secure pages. */
export function freshId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Events by number, newer tellings of an event replacing older ones. */
export function merged(known: readonly Happening[], told: readonly Happening[]): Happening[] {
  const byNumber = new Map(known.map((event) => [event.n, event]));
  for (const event of told) byNumber.set(event.n, event);
  return [...byNumber.values()].sort((one, other) => one.n - other.n);
}

/** The table as this page knows it. `send` puts a message on the line; `changed` says that something is new. */
export class LiveTable {
  line: Line = "connecting";
  /** Why it was closed, where the server says more than the code does: the game that is compiled, or a problem. */
  reason = "";
  table: Table | null = null;
  presence: Presence | null = null;
  state: State | null = null;
  events: readonly Happening[] = [];
  refusal: Refusal | null = null;
  seat: number | null = null;
  /** The number of the state that confirmed the last move from here. */
  confirmed = 0;
  readonly talk: Conversation;
  readonly wishes: Wishes;

  private moves: Sent[] = [];
  private questions = new Map<string, Question>();
  /** What sealed the decisions made here, by the id of their messages, until they are confirmed. */
  private nonces = new Map<string, string>();
  private lost = 0;

  constructor(
    private readonly send: (message: FromPage) => void,
    private readonly changed: () => void = () => {},
    private readonly newId: () => string = freshId,
  ) {
    this.talk = new Conversation((message) => this.line === "open" && this.send(message), newId);
    this.wishes = new Wishes((message) => this.line === "open" && this.send(message), newId);
  }

  /** Whether a move is on its way. */
  get busy(): boolean {
    return this.moves.length > 0;
  }

  /** Whether there is no use in trying again. */
  get ended(): boolean {
    return this.line === "gone" || this.line === "barred";
  }

  /** The line is open: look from where we looked before, then say again what was not confirmed. */
  opened(): void {
    this.line = "open";
    this.send({ t: "look", seat: this.seat, since: this.state?.n ?? 0, heard: this.talk.heard });
    this.talk.repeat();
    this.wishes.repeat();
    if (this.state) this.sendFirst();
    for (const [id, { seat, do: move, after }] of this.questions) this.send({ t: "why", id, seat, do: move, after });
    this.changed();
  }

  /** The line is closed; returns after how many milliseconds to try again, null for never. */
  closed(code: number, reason = ""): number | null {
    this.reason = reason;
    const { line, first, longest } = BREAKS[code] ?? LOST;
    this.line = FINAL[code] ?? line;
    this.changed();
    if (this.ended) return null;
    const wait = Math.min(longest, first * 2 ** this.lost);
    this.lost += 1;
    return wait;
  }

  /** Look from another seat. What the last one saw is forgotten first, so that nothing of it can be shown. */
  look(seat: number | null): void {
    this.seat = seat;
    this.state = null;
    this.events = [];
    this.refusal = null;
    this.moves = [];
    this.confirmed = 0;
    this.forget();
    this.nonces.clear();
    this.changed();
    if (this.line === "open") this.send({ t: "look", seat, since: 0, heard: this.talk.heard });
  }

  /** Play these moves from the seat we look from, each when the one before is confirmed. */
  play(...moves: readonly string[]): void {
    const seat = this.seat;
    if (seat === null || this.busy || !this.state) return;
    this.refusal = null;
    const sealing = this.state.secret;
    this.moves = moves.map((move) => {
      const [id, nonce] = [this.newId(), sealing ? freshNonce() : null];
      if (nonce) this.nonces.set(id, nonce);
      return { id, seat, do: move, nonce, n: null, times: 0 };
    });
    this.sendFirst();
    this.changed();
  }

  /** Ask why a move is not possible, or what follows it, perhaps after other moves. */
  why(move: string, after: readonly string[] = []): Promise<Because> {
    const [id, seat] = [this.newId(), this.seat ?? 0];
    return new Promise((answer) => {
      this.questions.set(id, { seat, do: move, after, answer });
      if (this.line === "open") this.send({ t: "why", id, seat, do: move, after });
    });
  }

  /** Give away what sealed a decision; whoever sits before this screen next must not find it. */
  takeNonce(id: string): string | undefined {
    const nonce = this.nonces.get(id);
    this.nonces.delete(id);
    return nonce;
  }

  /** The refusal has been read. */
  forgive(): void {
    this.refusal = null;
    this.changed();
  }

  /** A message has come. */
  received(message: ToPage): void {
    this.lost = 0;
    if (message.t === "table") this.table = message;
    else if (message.t === "presence") this.presence = message;
    else if (message.t === "state") this.takeState(message);
    else if (message.t === "talk") this.talk.received(message);
    else if (message.t === "done") this.wishes.done(message.id);
    else if (message.t === "refused") this.takeRefusal(message);
    else if (message.t === "because") this.takeAnswer(message);
    if (message.t !== "pong") this.changed();
  }

  /** Settle what was asked from the seat before, so that nobody waits for ever. */
  private forget(): void {
    const questions = [...this.questions];
    this.questions.clear();
    for (const [id, { answer }] of questions) answer({ ...FORGOTTEN, id });
  }

  private takeState(state: State): void {
    // A state for the seat we looked from before was already under way: it must not come to light here.
    if (state.seat !== this.seat) return;
    if (this.state && state.n < this.state.n) return;
    const first = this.state === null;
    this.state = state;
    this.events = merged(this.events, state.events);
    const [move] = this.moves;
    if (move && state.events.some((event) => event.id === move.id)) this.confirm();
    else if (!first) return;
    this.sendFirst();
  }

  private confirm(): void {
    this.moves.shift();
    this.confirmed = this.state?.n ?? 0;
  }

  private takeRefusal(refusal: Refusal): void {
    const { id } = refusal;
    if (this.talk.refused(refusal) || this.wishes.refused(refusal)) return;
    if (id !== null && this.questions.has(id))
      return this.takeAnswer({ ...refusal, t: "because", id, legal: false, final: "" });
    if (id !== null && id !== this.moves[0]?.id) return;
    // The seat we looked from belongs to somebody else now.
    if (id === null && this.seat !== null && refusal.reason === "table.not-yours") return this.look(null);
    this.refusal = refusal;
    this.moves = [];
  }

  private takeAnswer(because: Because): void {
    this.questions.get(because.id)?.answer(because);
    this.questions.delete(because.id);
  }

  private sendFirst(): void {
    const [move] = this.moves;
    if (!move || this.line !== "open") return;
    move.times += 1;
    if (move.times > MOST_TIMES) return this.takeRefusal({ ...UNANSWERED, id: move.id });
    move.n ??= this.state?.n ?? 0;
    const nonce = move.nonce === null ? {} : { nonce: move.nonce };
    this.send({ t: "do", id: move.id, n: move.n, seat: move.seat, do: move.do, ...nonce });
  }
}
