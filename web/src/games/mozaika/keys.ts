/** Keys of the board: which ones are meant for it, and what they say. */

/** Whether a key is meant for the board: nothing is being typed, and the focus is on the board or nowhere. */
export function isForBoard(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  if (target?.closest("input, textarea, select, [contenteditable]")) return false;
  return !target || target === document.body || target.closest(".mozaika, [tabindex='-1']") !== null;
}

/** Whether Enter and Space already press what has the focus. */
export function isOnControl(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest("button, a, summary, [role=button]") !== null;
}

/** The bid after a key: + and − step, digits write it, Enter seals; null for any other key. */
export function typedBid(event: KeyboardEvent, written: number, bid: number, coins: number): number | "seal" | null {
  if (event.key === "+" || event.key === "=") return bid + 1;
  if (event.key === "-" || event.key === "−") return bid - 1;
  if (event.key === "Enter") return event.repeat || isOnControl(event) ? null : "seal";
  return /^\d$/.test(event.key) ? withDigit(written, Number(event.key), coins) : null;
}

/** A further digit behind what has just been written, where that can be paid; else a new bid. */
export function withDigit(written: number, digit: number, coins: number): number {
  const longer = written * 10 + digit;
  return longer <= coins ? longer : digit;
}
