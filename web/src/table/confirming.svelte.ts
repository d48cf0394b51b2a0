/** A step in between before what cannot be taken back: asked of the server, which knows what follows. */
import type { State } from "../api/wire";
import { prefs } from "../prefs.svelte";
import type { Sitting } from "./sitting.svelte";

/** Moves that wait for a yes, and what follows them: "chance", "shown" or "over". */
export interface Pending {
  readonly moves: readonly string[];
  readonly follows: string;
}

export class Confirming {
  pending = $state.raw<Pending | null>(null);
  /** Whether the server is being asked what follows. */
  asking = $state(false);

  private seat: number | null = null;
  /** Counts what was begun, so that an answer to what was given up does nothing. */
  private begun = 0;

  constructor(private readonly sitting: Sitting) {}

  /** Play moves, at once if they can be taken back. */
  async play(...moves: readonly string[]): Promise<void> {
    this.no();
    const begun = this.begun;
    this.seat = this.sitting.live.seat;
    const follows = this.isSure(moves) ? "" : await this.follows(moves);
    if (begun !== this.begun || this.seat !== this.sitting.live.seat) return;
    this.asking = false;
    if (follows === "") this.sitting.play(...moves);
    else this.pending = { moves, follows };
  }

  yes(): void {
    const moves = this.pending?.moves ?? [];
    this.no();
    this.sitting.play(...moves);
  }

  no(): void {
    this.begun += 1;
    this.asking = false;
    this.pending = null;
  }

  /** Something new is in sight: give up what cannot be done any more. */
  settle({ seat, legal }: Pick<State, "seat" | "legal">): void {
    const [first] = this.pending?.moves ?? [];
    const isGone = first !== undefined && !legal.includes(first);
    if (isGone || ((this.asking || this.pending) && seat !== this.seat)) this.no();
  }

  /** Whether nobody has to be asked: it is not wished, or it only changes what can still be changed. */
  private isSure(moves: readonly string[]): boolean {
    const change = this.sitting.live.state?.change ?? [];
    return !prefs.confirm || this.sitting.busy || moves.some((move) => change.includes(move));
  }

  /** What follows these moves that needs a yes. */
  private async follows(moves: readonly string[]): Promise<string> {
    this.asking = true;
    const { final } = await this.sitting.live.why(moves[moves.length - 1] ?? "", moves.slice(0, -1));
    // Where nobody else has to agree everything but the end can be taken back.
    return final === "over" || !this.sitting.isAlone ? final : "";
  }
}
