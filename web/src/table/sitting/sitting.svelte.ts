/** Sitting at a table: what this screen shows of it, from whose eyes, and what it lets people do. */
import type { Happening, ToPage } from "../../api/wire";
import { reducesMotion } from "../../browser/prefs.svelte";
import { Countdown } from "../../clocks/countdown.svelte";
import { keepSeals, NonceSender } from "../../fairness/nonces";
import { findGame } from "../../games/find";
import type { GameModule } from "../../games/module";
import { addressOf, Connection } from "../line/connection";
import { LiveTable } from "../line/live.svelte";
import { Pace, type Shown } from "../line/pace";
import { stands } from "../line/takebacks";
import { seatNames } from "../words/names";
import { Absence } from "./absence.svelte";
import { ChatPanel } from "./chat-panel.svelte";
import { Confirmation } from "./confirmation.svelte";
import { nextStep, type Step } from "./viewpoint";

/** How long what somebody did stays in sight before a shared screen turns to the next. */
const MOMENT = 900;

/** One table on this screen; `leave` it when the page goes. */
export class Sitting {
  readonly live: LiveTable;
  readonly chatPanel: ChatPanel;
  readonly confirmation = new Confirmation(this);
  readonly absence = new Absence();
  readonly countdown = new Countdown();
  game = $state.raw<GameModule | null>(null);
  shown = $state.raw<Shown | null>(null);
  events = $state.raw<readonly Happening[]>([]);
  /** The seat this screen is to be handed to; nothing else is shown meanwhile. */
  handTo = $state<number | null>(null);

  /** Whether somebody here has said that they go. */
  leaving = false;

  /** The game's own pages could not be fetched. */
  broken = $state(false);

  readonly seats = $derived.by(() => this.live.table?.seats ?? []);
  readonly names = $derived(seatNames(this.seats));
  readonly mine = $derived(this.seats.flatMap((seat, index) => (seat.mine ? [index] : [])));
  readonly shared = $derived(this.mine.length > 1);
  readonly stage = $derived.by(() => this.live.table?.stage ?? null);
  /** What happened and was not taken back. */
  readonly standing = $derived.by(() => this.events.filter(stands));
  /** Whether nobody else has to agree to anything: all others are bots, or before this screen. */
  readonly isAlone = $derived(this.seats.every((seat) => seat.kind !== "person" || seat.mine));
  /** Whether somebody at this screen must act. */
  readonly myTurn = $derived.by(() => this.mine.some((seat) => this.live.state?.acting.includes(seat)));
  /** Whether somebody here plays with people elsewhere. */
  readonly hasCompany = $derived(this.mine.length > 0 && this.seats.some((seat) => seat.kind !== "bot" && !seat.mine));
  /** Whether there is somebody elsewhere to talk to, or onlookers who talk and whom the host can silence. */
  readonly canChat = $derived.by(
    () => this.mine.length === 0 || this.hasCompany || (this.live.table?.speakers.length ?? 0) > 0,
  );
  /** Whether a move from here is on its way, or what came of it is not shown yet. */
  readonly busy = $derived.by(() => this.live.busy || this.live.confirmed > (this.shown?.state.n ?? 0));

  private readonly connection: Connection;
  private readonly pace = new Pace();
  private readonly nonces = new NonceSender();
  private finding = false;
  private clock: ReturnType<typeof setTimeout> | undefined;
  private turning: ReturnType<typeof setTimeout> | undefined;
  /** The seat somebody asked to look from although it need not act, to change what it decided. */
  private visited: number | null = null;

  constructor(id: string, watchKey: string | null) {
    this.connection = new Connection(addressOf(id, watchKey));
    this.live = new LiveTable(this.connection, (message) => this.receive(message));
    this.chatPanel = new ChatPanel(this.live.chat, id);
    this.connection.open(this.live);
  }

  leave(): void {
    clearTimeout(this.clock);
    clearTimeout(this.turning);
    this.absence.stop();
    this.countdown.stop();
    this.confirmation.no();
    this.connection.close();
  }

  /** Connect now, not when the next try is due. */
  reconnect(): void {
    this.connection.retry();
  }

  /** Try again to fetch the game's own pages. */
  retry(): void {
    if (this.live.table) void this.find(this.live.table.game);
  }

  /** Somebody says that they are the one the screen was handed to. */
  iAm(seat: number): void {
    this.handTo = null;
    this.visited = seat;
    this.lookFrom(seat);
  }

  /** Somebody at a shared screen wants to look from their seat. */
  askFor(seat: number): void {
    this.cover(seat);
    this.visited = seat;
  }

  /** Play moves from the seat in sight, after a yes where they are final and that is wished for. */
  async play(...moves: readonly string[]): Promise<void> {
    if (!(await this.confirmation.given(moves))) return;
    this.visited = null;
    this.live.submit(moves);
  }

  /** Nobody sits before the screen: back to what everybody may see. */
  stepAside(): void {
    this.visited = null;
    this.hide();
    this.lookFrom(null);
  }

  private receive(message: ToPage): void {
    if (message.t === "clocks") this.countdown.take(message);
    if (message.t === "table") void this.find(message.game);
    if (message.t === "table") void this.nonces.send(message);
    if (message.t === "state" && this.live.table) keepSeals(this.live.table, message, (id) => this.live.takeNonce(id));
    if (message.t === "presence") this.absence.take(message);
    // Where to look from comes first: what is to be hidden must not be shown even for a blink.
    if (message.t === "state" || message.t === "table") this.decide();
    if (message.t === "state") this.take();
  }

  /** Fetch the game's own pages; where that fails it is tried again with the next message of the table. */
  private async find(name: string): Promise<void> {
    if (this.game || this.finding) return;
    this.finding = true;
    try {
      this.game = await findGame(name);
      this.broken = false;
    } catch {
      this.broken = true;
    }
    this.finding = false;
  }

  private take(): void {
    const state = this.live.state;
    if (!state || this.handTo !== null) return;
    this.pace.take(state, performance.now());
    this.advance();
  }

  private advance(): void {
    clearTimeout(this.clock);
    const now = performance.now();
    const next = this.pace.advance(reducesMotion() ? Infinity : now);
    if (this.shown !== this.pace.shown && this.pace.shown) this.show(this.pace.shown);
    this.events = this.live.events.filter((event) => event.n <= (this.shown?.state.n ?? 0));
    if (next !== null) this.clock = setTimeout(() => this.advance(), next - now);
  }

  private show(shown: Shown): void {
    this.shown = shown;
    this.confirmation.settle(shown.state);
  }

  private decide(): void {
    clearTimeout(this.turning);
    const state = this.live.state;
    if (!state || !this.live.table || this.live.busy) return;
    if (this.handTo !== null && state.acting.includes(this.handTo)) return;
    this.follow(nextStep(this.mine, this.live.seat, state, this.visited === this.live.seat));
  }

  private follow(step: Step): void {
    if (step.kind === "hand-over") this.cover(step.seat);
    else if (step.kind === "look" && this.live.state?.secret && this.shared) this.stepAside();
    else if (step.kind === "look") this.turnTo(step.seat);
    else if (this.handTo !== null && this.visited === null) this.uncover();
  }

  /** Turn to another seat, after a moment if something is in sight. */
  private turnTo(seat: number | null): void {
    const before = this.live.seat;
    if (before === null || reducesMotion()) this.lookFrom(seat);
    else this.turning = setTimeout(() => this.lookFrom(seat), MOMENT);
  }

  private lookFrom(seat: number | null): void {
    clearTimeout(this.turning);
    this.pace.clear();
    this.live.look(seat);
  }

  /** Forget what is in sight, then ask for the seat. Nothing of the last one is left when the page says so. */
  private cover(seat: number): void {
    if (this.handTo === seat) return;
    this.visited = null;
    this.hide();
    if (this.live.seat !== null) this.lookFrom(null);
    this.handTo = seat;
  }

  private uncover(): void {
    this.handTo = null;
    this.take();
  }

  private hide(): void {
    clearTimeout(this.clock);
    this.pace.clear();
    this.confirmation.no();
    this.shown = null;
    this.events = [];
  }
}
