/** Clocks before a table is made, and how near their end is. No DOM. */
import type { Clock, Terms } from "../api/wire";

export type Late = NonNullable<Terms["late"]>;
export type Unit = "hours" | "days";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const SECONDS: Record<Unit, number> = { hours: HOUR, days: DAY };

/** What happens when time runs out; the usual first. */
export const lates: readonly Late[] = ["move", "seat", "resign"];
export const units: readonly Unit[] = ["hours", "days"];

/** Clocks that need no thought. */
export const usual: Readonly<Record<string, Clock>> = {
  "live-5": { kind: "live", seconds: 5 * MINUTE, increment: 5 },
  "live-15": { kind: "live", seconds: 15 * MINUTE, increment: 10 },
  "slow-1": { kind: "slow", seconds: DAY },
  "slow-3": { kind: "slow", seconds: 3 * DAY },
};

/** From the least to the most that can be typed. */
export const ranges = {
  minutes: [1, 600],
  increment: [0, 600],
  hours: [1, 720],
  days: [1, 30],
} as const satisfies Record<string, readonly [number, number]>;

/** A clock as it is being thought of; numbers that are not there yet are null. */
export interface ClockDraft {
  /** "none", "own", or one of the usual. */
  choice: string;
  kind: Clock["kind"];
  minutes: number | null;
  increment: number | null;
  count: number | null;
  unit: Unit;
  late: Late;
  standIn: string;
}

/** What a form begins with: no clock, and sensible values for whoever wants one. */
export function clockDraft(bots: readonly string[]): ClockDraft {
  const standIn = bots.find((bot) => bot === "level-4") ?? bots[0] ?? "";
  return { choice: "none", kind: "live", minutes: 10, increment: 5, count: 2, unit: "days", late: "move", standIn };
}

/** Whether a number can be typed in this field. */
export function fits(value: number | null, field: keyof typeof ranges): boolean {
  const [least, most] = ranges[field];
  return value !== null && Number.isInteger(value) && value >= least && value <= most;
}

/** Whether the clock can be played with. */
export function isClock(draft: ClockDraft): boolean {
  if (draft.choice !== "own") return true;
  if (draft.kind === "slow") return fits(draft.count, draft.unit);
  return fits(draft.minutes, "minutes") && fits(draft.increment, "increment");
}

/** The clock that a draft means. */
export function clockOf(draft: ClockDraft): Clock | null {
  if (draft.choice !== "own") return usual[draft.choice] ?? null;
  if (draft.kind === "slow") return { kind: "slow", seconds: (draft.count ?? 0) * SECONDS[draft.unit] };
  return { kind: "live", seconds: (draft.minutes ?? 0) * MINUTE, increment: draft.increment ?? 0 };
}

/** What is agreed about time; nothing where there is no clock. */
export function timeTerms(draft: ClockDraft): Pick<Terms, "clock" | "late" | "stand_in"> {
  const clock = clockOf(draft);
  return clock ? { clock, late: draft.late, stand_in: draft.standIn } : {};
}

export type Haste = "calm" | "low" | "last";

/** How near its end a clock is. */
export function hasteOf(left: number, clock: Clock): Haste {
  const live = clock.kind === "live";
  const low = live ? Math.min(MINUTE, clock.seconds / 5) : Math.min(3 * HOUR, clock.seconds / 4);
  if (left > low) return "calm";
  return left > (live ? 10 : 10 * MINUTE) ? "low" : "last";
}

/** What is left when it is worth a word, the longest first. */
export const marks: Record<Clock["kind"], readonly number[]> = {
  live: [60, 30, 10],
  slow: [HOUR, 10 * MINUTE, MINUTE],
};

/** The mark that was passed between two moments, if one was: the last of them. */
export function passed(before: number, after: number, clock: Clock): number | null {
  return marks[clock.kind].filter((mark) => before > mark && after <= mark).at(-1) ?? null;
}

/** The largest units of a span of time with their counts, at most two; a span is never nothing. */
export function parts(seconds: number): [number, "day" | "hour" | "minute" | "second"][] {
  const whole = Math.max(0, Math.ceil(seconds));
  const counts: [number, "day" | "hour" | "minute" | "second"][] = [
    [Math.floor(whole / DAY), "day"],
    [Math.floor((whole % DAY) / HOUR), "hour"],
    [Math.floor((whole % HOUR) / MINUTE), "minute"],
    [whole % MINUTE, "second"],
  ];
  const first = counts.findIndex(([count]) => count > 0);
  if (first < 0) return [[0, "second"]];
  return counts.slice(first, first + 2).filter(([count]) => count > 0);
}

/** Hours, minutes and seconds as a clock shows them. */
export function digits(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  const two = (count: number) => String(count).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % MINUTE)}` : `${minutes}:${two(whole % MINUTE)}`;
}
