/** What is asked at a table: who has to answer, who has not yet, and how it is shown to whom. */
import type { Proposed, Seat } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import { listed } from "../words/names";

/** The seats that have not answered yet. */
export function unanswered({ needed, agreed }: Pick<Proposed, "needed" | "agreed">): number[] {
  return needed.filter((seat) => !agreed.includes(seat));
}

/** The seats of others who would have to agree to something about a seat: people, and those whom somebody stands in for. */
export function others(seats: readonly Pick<Seat, "kind" | "owner" | "mine" | "claim">[], about: number): number[] {
  return seats.flatMap(({ kind, owner, mine, claim }, seat) =>
    seat !== about && !mine && !claim && (kind === "person" || owner !== null) ? [seat] : [],
  );
}

/** These people as one phrase, with a word about those who are not there to answer. */
export function awaited(seats: readonly number[], names: readonly string[], here: readonly boolean[] = []): string {
  const told = seats.map((seat) => {
    const name = names[seat] ?? "";
    return here[seat] === false ? t("consent.away", { name }) : name;
  });
  return listed(told);
}

/** How a question is shown: to be answered, as one line to unfold, as just ended, or ended and kept for who asked. */
export type Showing = "answer" | "folded" | "ended" | "kept" | null;

interface Viewer {
  /** Whether somebody here has to answer. */
  isVoter: boolean;
  /** Whether somebody here has asked. */
  isOwn: boolean;
  /** Whether this page has just seen it end. */
  isFresh: boolean;
  /** Whether its end has been read here. */
  isRead: boolean;
}

/** What whoever has asked must be told even if they were away; what was agreed can be seen, and who withdraws knows. */
const KEPT: readonly string[] = ["declined", "lapsed", "late"];

/** Say how a question is shown here. */
export function showing(asked: Pick<Proposed, "outcome"> | null, { isVoter, isOwn, isFresh, isRead }: Viewer): Showing {
  if (!asked) return null;
  if (asked.outcome === "open") return isVoter ? "answer" : "folded";
  if (isFresh) return "ended";
  return isOwn && !isRead && KEPT.includes(asked.outcome) ? "kept" : null;
}

const key = (table: string) => `answered ${table}`;

/** Whether the end of a question was read in this browser. */
export function wasRead(table: string, n: number): boolean {
  try {
    return Number(localStorage.getItem(key(table)) ?? 0) >= n;
  } catch {
    return false;
  }
}

/** Remember that it was. */
export function noteRead(table: string, n: number): void {
  try {
    localStorage.setItem(key(table), String(n));
  } catch {
    // A browser that keeps nothing tells it again.
  }
}
