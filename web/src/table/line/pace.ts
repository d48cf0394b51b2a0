/** States that come quickly are shown one after the other, but never long after they came. */
import type { Happening, State } from "../../api/wire";
import { stands } from "./takebacks";

/** How long a state is shown before the next, if there is time. */
export const GAP = 400;
/** How long after its coming a state is shown at the latest. */
export const LAG = 800;

/** A state to show, with the events that led to it from the one shown before. */
export interface Shown {
  readonly state: State;
  readonly fresh: readonly Happening[];
}

interface Waiting {
  readonly state: State;
  readonly due: number;
}

/** Says what is shown when. Times are milliseconds of any clock. */
export class Pace {
  shown: Shown | null = null;
  private waiting: Waiting[] = [];
  private last = -Infinity;
  private told = new Map<number, string | null>();

  /** Forget everything; the next state is shown at once, without a story. */
  clear(): void {
    this.shown = null;
    this.waiting = [];
    this.told.clear();
    this.last = -Infinity;
  }

  /** A state has come. */
  take(state: State, now: number): void {
    const after = (this.waiting.at(-1)?.due ?? this.last) + GAP;
    const known = this.waiting.at(-1)?.state ?? this.shown?.state;
    const quiet = known?.n === state.n;
    this.waiting.push({ state, due: quiet ? now : Math.min(now + LAG, Math.max(now, after)) });
  }

  /** Show what is due by now; returns when to ask again, null if nothing waits. */
  advance(now: number): number | null {
    const due = this.waiting.reduce((last, one, index) => (one.due <= now ? index : last), -1);
    if (due >= 0) this.show(this.waiting.splice(0, due + 1), now);
    return this.waiting[0]?.due ?? null;
  }

  private show(states: readonly Waiting[], now: number): void {
    const first = this.shown === null;
    const state = (states.at(-1) as Waiting).state;
    const told = states.flatMap((one) => one.state.events).filter((event) => this.isNews(event));
    for (const event of told) this.told.set(event.n, event.do);
    this.shown = { state, fresh: first ? [] : latest(told).filter(stands) };
    this.last = now;
  }

  /** Whether an event has not been told yet, or only as a secret. */
  private isNews(event: Happening): boolean {
    const known = this.told.get(event.n);
    return known !== event.do;
  }
}

/** Each event once, as it was told last. */
function latest(events: readonly Happening[]): Happening[] {
  return [...new Map(events.map((event) => [event.n, event])).values()].sort((one, other) => one.n - other.n);
}
