/** What a page adds to the luck of a table, once it has seen the commitment; and the receipts of what was sealed. */
import { addNonces } from "../api/http";
import type { State, Table } from "../api/wire";
import { receiptOf, saveReceipt, type Receipt } from "./receipts";
import { freshNonce, sealOf } from "./proof";

/** The seats of this browser that the deal waits for. */
function owing(table: Table): number[] {
  return table.seats.flatMap((seat, index) => (seat.mine && seat.ready === false ? [index] : []));
}

/** What is known of a table, with something made up for each of these seats; what was made up before stays. */
export function prepared(known: Receipt | null, commitment: string, seats: readonly number[]): Receipt {
  const before = known ?? { commitment, nonces: {}, seals: {} };
  const fresh = seats.filter((seat) => before.nonces[seat] === undefined).map((seat) => [seat, freshNonce()] as const);
  return { ...before, nonces: { ...before.nonces, ...Object.fromEntries(fresh) } };
}

/** Adds for the seats of this browser, each time the people are told and something is still missing. */
export class NonceSender {
  private busy = false;

  async send(table: Table): Promise<void> {
    const commitment = table.commitment ?? null;
    const seats = owing(table);
    if (commitment === null || seats.length === 0 || this.busy) return;
    const now = prepared(receiptOf(table.id), commitment, seats);
    saveReceipt(table.id, now);
    // A server that has changed its mind since is told what was seen first, and says no.
    const nonces = Object.fromEntries(seats.map((seat) => [seat, now.nonces[seat] ?? ""]));
    this.busy = true;
    try {
      await addNonces(table.id, { commitment: now.commitment, nonces });
    } catch {
      // The next message about the people, at the latest after a broken line, tries again.
    } finally {
      this.busy = false;
    }
  }
}

/**
 * Keep the seals of what a seat of this browser has decided, to compare them with those that are opened at the end.
 * Those made on this very page are worked out here; `takeNonce` finds what sealed them, by the id of the message.
 */
export function keepSeals(table: Table, state: State, takeNonce: (id: string) => string | undefined): void {
  // What is shown when everything can be known proves nothing, so it is not kept.
  if (table.stage === "over" || !table.seats.some((seat) => seat.mine)) return;
  const known = receiptOf(table.id) ?? { commitment: table.commitment ?? "", nonces: {}, seals: {} };
  const [own, others] = [ownSeals(table.id, state, known, takeNonce), shownSeals(state, known)];
  if (own.length + others.length === 0) return;
  const seals = { ...known.seals, ...Object.fromEntries(own) };
  saveReceipt(table.id, { ...known, seals, witnessed: { ...known.witnessed, ...Object.fromEntries(others) } });
}

type Sealed = readonly (readonly [number, string])[];

/** Seals of bots, shown while what they hold is still hidden: what is opened later has to fit. */
export function shownSeals({ events }: Pick<State, "events">, { witnessed = {} }: Receipt): Sealed {
  return events.flatMap(({ n, do: move, seal }) =>
    move === null && seal && witnessed[n] === undefined ? [[n, seal] as const] : [],
  );
}

function ownSeals(
  table: string,
  { seat, change, events }: State,
  known: Receipt,
  takeNonce: (id: string) => string | undefined,
): Sealed {
  if (seat === null) return [];
  return events.flatMap(({ n, by, do: move, id, seal }) => {
    if (by !== seat || move === null || !seal) return [];
    const nonce = takeNonce(id ?? "");
    // Another page of this seat may have decided otherwise, but only as long as it could.
    const before = change.length > 0 ? seal : (known.seals[n] ?? seal);
    const made = nonce === undefined ? before : sealOf(table, seat, move, nonce);
    return known.seals[n] === made ? [] : [[n, made] as const];
  });
}
