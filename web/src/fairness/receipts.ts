/** What this browser remembers of a table's fairness, so that it can compare at the end. No DOM but the storage. */

/**
 * The commitment this browser was shown, what it added by seat, and by number the seals of what it decided, and those
 * of bots that it was shown before they were opened.
 */
export interface Receipt {
  commitment: string;
  nonces: Record<number, string>;
  seals: Record<number, string>;
  witnessed?: Record<number, string>;
}

const KEY = "fairness";
/** So many tables are remembered, the newest. */
const MOST = 60;

type Tables = Record<string, Receipt>;

function tables(): Tables {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Tables) : {};
  } catch {
    return {};
  }
}

export function receiptOf(table: string): Receipt | null {
  return tables()[table] ?? null;
}

export function saveReceipt(table: string, what: Receipt): void {
  const others = Object.entries(tables()).filter(([known]) => known !== table);
  const newest = others.slice(1 - MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(newest), [table]: what }));
  } catch {
    // A browser that keeps nothing cannot compare later; it can still work everything out.
  }
}
