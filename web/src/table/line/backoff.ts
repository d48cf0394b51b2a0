/** How a line stands, and when one that was closed is tried again. */

/** How the line stands; the last two are final. */
export type Line = "connecting" | "open" | "lost" | "limited" | "busy" | "compiling" | "gone" | "barred";

const FINAL: Readonly<Record<number, Line>> = { 4404: "gone", 4403: "barred" };

/** Whether there is no use in trying again. */
export function isFinal(line: Line): boolean {
  return Object.values(FINAL).includes(line);
}

/** How a line stands until it comes back, and after how many milliseconds it is tried, doubling from first to longest. */
interface Break {
  readonly line: Line;
  readonly first: number;
  readonly longest: number;
}

const LOST: Break = { line: "lost", first: 300, longest: 5_000 };
/** By the code it was closed with; whoever came too often, or to a full house, must not come at once. */
const BREAKS: Readonly<Record<number, Break>> = {
  4429: { line: "limited", first: 2_000, longest: 30_000 },
  1013: { line: "busy", first: 2_000, longest: 30_000 },
  4503: { line: "compiling", first: 5_000, longest: 5_000 },
};

/** How a closed line stands, and after how many milliseconds to try again, null for never. */
export interface Closing {
  readonly line: Line;
  readonly wait: number | null;
}

/** Waits longer after each break, until something is heard again. */
export class Backoff {
  private lost = 0;

  /** Something was heard: the next break is a first one. */
  reset(): void {
    this.lost = 0;
  }

  /** A line was closed with this code. */
  after(code: number): Closing {
    const final = FINAL[code];
    if (final) return { line: final, wait: null };
    const { line, first, longest } = BREAKS[code] ?? LOST;
    const wait = Math.min(longest, first * 2 ** this.lost);
    this.lost += 1;
    return { line, wait };
  }
}
