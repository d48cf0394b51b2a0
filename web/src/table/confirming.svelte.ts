/** A step in between before what cannot be taken back: asked of the server, which knows what follows. */
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

  constructor(private readonly sitting: Sitting) {}

  /** Play moves, at once if they can be taken back. */
  async play(...moves: readonly string[]): Promise<void> {
    this.pending = null;
    const follows = await this.follows(moves);
    if (follows === "") this.sitting.play(...moves);
    else if (follows !== null) this.pending = { moves, follows };
  }

  yes(): void {
    const moves = this.pending?.moves ?? [];
    this.pending = null;
    this.sitting.play(...moves);
  }

  no(): void {
    this.pending = null;
  }

  /** What follows these moves that needs a yes; null if the table has moved on meanwhile. */
  private async follows(moves: readonly string[]): Promise<string | null> {
    const state = this.sitting.live.state;
    const last = moves[moves.length - 1];
    const isChange = last !== undefined && (state?.change.includes(last) ?? false);
    if (!prefs.confirm || last === undefined || isChange || this.sitting.busy) return "";
    this.asking = true;
    const because = await this.sitting.live.why(last, moves.slice(0, -1));
    this.asking = false;
    if (this.sitting.live.state?.n !== state?.n) return null;
    // Where nobody else has to agree everything but the end can be taken back.
    return because.final === "over" || !this.sitting.isAlone ? because.final : "";
  }
}
