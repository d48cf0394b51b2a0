/** One table as it comes down the line: messages merged, moves confirmed, the next step after a lost line. No DOM. */
import type { Because, Do, FromPage, Happening, Presence, Refusal, State, Table, ToPage } from "../../api/wire";
import { freshNonce } from "../../fairness/proof";
import { isFinal, type Line } from "./backoff";
import { Chat } from "./chat.svelte";
import type { Listener } from "./connection";
import { merged } from "./events";
import { Questions } from "./questions";
import { Requests } from "./requests.svelte";

/** A decision on its way. The state it answers is fixed when it is made, so that sending it again is harmless. */
interface Sent {
  readonly message: Do;
  times: number;
}

/** The moves of one decision as they are sent: several are played together or not at all. */
function together(moves: readonly string[]): string | readonly string[] {
  const [only, ...others] = moves;
  return only !== undefined && others.length === 0 ? only : moves;
}

/** A decision on which the line breaks each time must not break it for ever. */
const MOST_TIMES = 4;
const UNANSWERED = { t: "refused", rule: "", reason: "table.server", values: {}, sentence: "no answer" } as const;

/** An id nobody else makes; `randomUUID` exists only on secure pages. */
export function freshId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where messages are put on the line, if it is open. */
interface Sender {
  send(message: FromPage): void;
}

/** The table as this page knows it, all of it reactive. `taken` is told of each message that was not put aside. */
export class LiveTable implements Listener {
  line = $state.raw<Line>("connecting");
  /** Why it was closed, where the server says more than the code does: the game that is compiled, or a problem. */
  reason = $state.raw("");
  table = $state.raw<Table | null>(null);
  presence = $state.raw<Presence | null>(null);
  state = $state.raw<State | null>(null);
  events = $state.raw<readonly Happening[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  /** The seat we look from; null as an onlooker. */
  seat = $state.raw<number | null>(null);
  /** The number of the state that confirmed the last decision from here. */
  confirmed = $state.raw(0);
  readonly chat: Chat;
  readonly requests: Requests;

  private sent = $state.raw<Sent | null>(null);
  private readonly questions: Questions;
  /** What sealed the decisions made here, by the id of their messages, until they are confirmed. */
  private nonces: Readonly<Record<string, string>> = {};

  constructor(
    private readonly connection: Sender,
    private readonly taken: (message: ToPage) => void = () => {},
    private readonly newId: () => string = freshId,
  ) {
    this.chat = new Chat((message) => this.send(message), newId);
    this.requests = new Requests((message) => this.send(message), newId);
    this.questions = new Questions((message) => this.send(message));
  }

  /** Whether a decision is on its way. */
  get busy(): boolean {
    return this.sent !== null;
  }

  get isUrgent(): boolean {
    return this.table?.stage === "playing" && this.table.terms.clock?.kind === "live";
  }

  /** The line is open: look from where we looked before, then say again what was not confirmed. */
  opened(): void {
    this.line = "open";
    this.send({ t: "look", seat: this.seat, since: this.state?.n ?? 0, heard: this.chat.heard });
    this.chat.repeat();
    this.requests.repeat();
    if (this.state) this.sendAgain();
    this.questions.repeat();
  }

  /** The line is closed, perhaps only for a while. */
  closed(line: Line, reason = ""): void {
    this.line = line;
    this.reason = reason;
    if (isFinal(line)) this.questions.forget();
  }

  /** Look from another seat. What the last one saw is forgotten first, so that nothing of it can be shown. */
  look(seat: number | null): void {
    this.seat = seat;
    this.state = null;
    this.events = [];
    this.refusal = null;
    this.sent = null;
    this.confirmed = 0;
    this.questions.forget();
    this.nonces = {};
    this.send({ t: "look", seat, since: 0, heard: this.chat.heard });
  }

  /** Send moves from the seat we look from, as one decision. */
  submit(moves: readonly string[]): void {
    if (this.seat === null || this.busy || !this.state) return;
    this.refusal = null;
    const id = this.newId();
    const seal = this.state.secret ? { nonce: freshNonce() } : {};
    if (seal.nonce) this.nonces = { ...this.nonces, [id]: seal.nonce };
    const message: Do = { t: "do", id, n: this.state.n, seat: this.seat, do: together(moves), ...seal };
    this.sent = { message, times: 0 };
    this.sendAgain();
  }

  /** Ask why moves are not possible, or what follows them, played as one decision. */
  why(...moves: readonly string[]): Promise<Because> {
    return this.questions.ask({ t: "why", id: this.newId(), seat: this.seat ?? 0, do: together(moves) });
  }

  /** Give away what sealed a decision; whoever sits before this screen next must not find it. */
  takeNonce(id: string): string | undefined {
    const { [id]: nonce, ...others } = this.nonces;
    this.nonces = others;
    return nonce;
  }

  /** The refusal has been read. */
  dismissRefusal(): void {
    this.refusal = null;
  }

  /** A message has come. */
  received(message: ToPage): void {
    if (message.t === "table") this.table = message;
    else if (message.t === "presence") this.presence = message;
    else if (message.t === "state") this.takeState(message);
    else if (message.t === "talk") this.chat.received(message);
    else if (message.t === "done") this.requests.done(message.id);
    else if (message.t === "refused") this.takeRefusal(message);
    else if (message.t === "because") this.questions.answered(message);
    // A state that was put aside is nobody's to see.
    if (message.t !== "state" || message === this.state) this.taken(message);
  }

  private send(message: FromPage): void {
    if (this.line === "open") this.connection.send(message);
  }

  private takeState(state: State): void {
    // A state for the seat we looked from before was already under way: it must not come to light here.
    if (state.seat !== this.seat) return;
    if (this.state && state.n < this.state.n) return;
    this.state = state;
    this.events = merged(this.events, state.events);
    if (state.events.some((event) => event.id !== null && event.id === this.sent?.message.id)) this.confirm(state.n);
  }

  private confirm(n: number): void {
    this.sent = null;
    this.confirmed = n;
  }

  private takeRefusal(refusal: Refusal): void {
    const { id } = refusal;
    if ([this.chat, this.requests, this.questions].some((asked) => asked.refused(refusal))) return;
    if (id !== null && id !== this.sent?.message.id) return;
    // The seat we looked from belongs to somebody else now.
    if (id === null && this.seat !== null && refusal.reason === "table.not-yours") return this.look(null);
    this.refusal = refusal;
    this.sent = null;
  }

  /** Put the decision on the line, for the first time or once more. */
  private sendAgain(): void {
    if (!this.sent || this.line !== "open") return;
    const { message } = this.sent;
    this.sent.times += 1;
    if (this.sent.times > MOST_TIMES) return this.takeRefusal({ ...UNANSWERED, id: message.id });
    this.send(message);
  }
}
