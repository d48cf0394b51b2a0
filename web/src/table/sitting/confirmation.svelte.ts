/** A step in between before what cannot be taken back: asked of the server, which knows what follows. */
import type { State } from "../../api/wire";
import { prefs } from "../../browser/prefs.svelte";
import type { LiveTable } from "../line/live.svelte";

/** Moves that wait for a yes, and what follows them: "chance", "shown" or "over". */
export interface Pending {
  readonly moves: readonly string[];
  readonly follows: string;
}

/** What has to be known of a table to ask. */
interface Place {
  readonly live: Pick<LiveTable, "seat" | "state" | "why">;
  readonly busy: boolean;
  readonly isAlone: boolean;
}

export class Confirmation {
  pending = $state.raw<Pending | null>(null);
  /** Whether the server is being asked what follows. */
  asking = $state(false);

  private seat: number | null = null;
  /** Counts what was begun, so that an answer to what was given up does nothing. */
  private begun = 0;
  private answer: (isYes: boolean) => void = () => {};

  constructor(private readonly place: Place) {}

  /** Whether moves are to be played: at once if they can be taken back, else after a yes. */
  async given(moves: readonly string[]): Promise<boolean> {
    this.no();
    const begun = this.begun;
    this.seat = this.place.live.seat;
    const follows = this.isSure(moves) ? "" : await this.follows(moves);
    if (begun !== this.begun || this.seat !== this.place.live.seat) return false;
    this.asking = false;
    if (follows === "") return true;
    this.pending = { moves, follows };
    return new Promise((answer) => (this.answer = answer));
  }

  yes(): void {
    this.end(true);
  }

  no(): void {
    this.end(false);
  }

  /** Something new is in sight: give up what cannot be done any more. */
  settle({ seat, legal }: Pick<State, "seat" | "legal">): void {
    const [first] = this.pending?.moves ?? [];
    const isGone = first !== undefined && !legal.includes(first);
    if (isGone || ((this.asking || this.pending) && seat !== this.seat)) this.no();
  }

  /** Nothing is asked any more, and nobody waits for an answer. */
  private end(isYes: boolean): void {
    this.begun += 1;
    this.asking = false;
    this.pending = null;
    this.answer(isYes);
    this.answer = () => {};
  }

  /** Whether nobody has to be asked: it is not wished, or it only changes what can still be changed. */
  private isSure(moves: readonly string[]): boolean {
    const change = this.place.live.state?.change ?? [];
    return !prefs.confirm || this.place.busy || moves.some((move) => change.includes(move));
  }

  /** What follows these moves that needs a yes. */
  private async follows(moves: readonly string[]): Promise<string> {
    this.asking = true;
    const { final } = await this.place.live.why(...moves);
    // Where nobody else has to agree everything but the end can be taken back.
    return final === "over" || !this.place.isAlone ? final : "";
  }
}
