/** The server's time, as far as this page knows it: our own clock may be wrong, and only what the server says counts. */

/** What is added to the time since the page was opened, in seconds. */
let ahead = (Date.now() - performance.now()) / 1000;

/** The server has said what time it is; times are seconds since 1970. */
export function heardTime(at: number): void {
  ahead = at - performance.now() / 1000;
}

/** Take the time from an answer, which tells whole seconds only: on average half a second has passed. */
export function heardDate(date: string | null): void {
  const at = Date.parse(date ?? "") / 1000;
  if (Number.isFinite(at)) heardTime(at + 0.5);
}

/** What time it is at the server. */
export function serverTime(): number {
  return performance.now() / 1000 + ahead;
}
