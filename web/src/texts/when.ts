/** When something will be, in words that fit into a sentence: "in 3 minutes". */
import { current } from "./texts.svelte";

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

function told(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  return new Intl.RelativeTimeFormat(current(), { numeric: "always" }).format(Math.max(1, count), unit);
}

/** When time will be over; rounded down, so that nobody counts on time that is not there. */
export function inTime(seconds: number): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ["second", 1];
  return told(Math.floor(seconds / length), unit);
}

/** When to try again; rounded up, so that nobody comes too early. */
export function notBefore(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds < 60) return told(Math.ceil(seconds), "second");
  return minutes < 60 ? told(minutes, "minute") : told(Math.ceil(minutes / 60), "hour");
}
