/** Going through a finished game: the table after each event, fetched when it is needed and kept. */
import { getReplay, getStep, problemOf } from "../api/http";
import type { Happening, Problem, Replay, Step } from "../api/wire";
import { findGame } from "../games/find";
import type { GameModule } from "../games/module";

/** The first event deals: before it there is nothing to see. */
const FIRST = 1;
const A_STEP = 1300;

export class Playback {
  replay = $state.raw<Replay | null>(null);
  game = $state.raw<GameModule | null>(null);
  step = $state.raw<Step | null>(null);
  fresh = $state.raw<readonly Happening[]>([]);
  problem = $state.raw<Problem | null>(null);
  /** Where we are, also while that step is still being fetched. */
  at = $state(FIRST);
  playing = $state(false);

  readonly first = FIRST;
  readonly last = $derived.by(() => Math.max(FIRST, this.replay?.events.length ?? FIRST));

  private readonly steps: (Promise<Step> | undefined)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly id: string) {}

  /** Fetch the game and go to an event; without one, to the end. */
  async load(at: number | null): Promise<void> {
    this.problem = null;
    try {
      const replay = await getReplay(this.id);
      this.game = await findGame(replay.game);
      this.replay = replay;
    } catch (error) {
      this.problem = problemOf(error);
      return;
    }
    await this.jump(at ?? this.last);
  }

  /** Go to an event. From the one before it is shown as it happens; from elsewhere it simply stands there. */
  async jump(to: number): Promise<void> {
    const n = Math.min(this.last, Math.max(FIRST, to));
    this.at = n;
    try {
      const step = await this.fetched(n);
      if (this.at !== n) return;
      this.fresh = this.step?.n === n - 1 ? this.eventsOf(n) : [];
      this.step = step;
      this.problem = null;
      this.fetchBeside(n);
    } catch (error) {
      this.stop();
      this.problem = problemOf(error);
    }
  }

  /** Play on by itself, from the beginning if it is at the end. */
  start(): void {
    this.playing = true;
    void this.next(this.at >= this.last ? FIRST : this.at + 1);
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private async next(n: number): Promise<void> {
    await this.jump(n);
    if (!this.playing) return;
    if (n >= this.last) return this.stop();
    this.timer = setTimeout(() => void this.next(this.at + 1), A_STEP);
  }

  private eventsOf(n: number): readonly Happening[] {
    return this.replay?.events.filter((event) => event.n === n) ?? [];
  }

  private fetchBeside(n: number): void {
    for (const beside of [n + 1, n - 1, n + 2]) {
      // What fails here is asked for again when somebody goes there.
      if (beside >= FIRST && beside <= this.last) this.fetched(beside).catch(() => undefined);
    }
  }

  private fetched(n: number): Promise<Step> {
    const known = this.steps[n];
    if (known) return known;
    const asked = getStep(this.id, n);
    this.steps[n] = asked;
    asked.catch(() => (this.steps[n] = undefined));
    return asked;
  }
}
