/** The clocks of a table as this page shows them: sent by the server now and then, counted down here in between. */
import { heardTime } from "../api/time";
import type { Clocks } from "../api/wire";

/** Milliseconds between two updates: few where seconds are shown, many where hours are. */
const OFTEN = 200;
const SELDOM = 5_000;
const HOUR = 3_600;

/** Clocks that tick; `stop` them when the page goes. */
export class Countdown {
  latest = $state.raw<Clocks | null>(null);

  private receivedAt = 0;
  private now = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The server has sent the clocks. */
  take(clocks: Clocks): void {
    this.latest = clocks;
    heardTime(clocks.at);
    this.receivedAt = performance.now();
    this.tick();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Whether a seat's time runs. */
  runs(seat: number): boolean {
    return this.latest?.running.includes(seat) ?? false;
  }

  /** The seconds that a seat has left; null where it has no clock. */
  left(seat: number): number | null {
    const left = this.latest?.left[seat] ?? null;
    if (left === null || !this.runs(seat)) return left;
    return Math.max(0, left - (this.now - this.receivedAt) / 1000);
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.now = performance.now();
    const running = (this.latest?.running ?? []).map((seat) => this.left(seat) ?? 0);
    if (running.some((left) => left > 0))
      this.timer = setTimeout(() => this.tick(), Math.min(...running) > HOUR ? SELDOM : OFTEN);
  }
}
