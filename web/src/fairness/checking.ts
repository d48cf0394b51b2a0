/** The check of a finished game in this browser. What bits mean in a game only the rules know: the server says that. */
import type { Fairness, Proof } from "../api/wire";
import type { Receipt } from "./receipts";
import { commitmentOf, keyOfCode, keyOfTable, sealOf, wordOf } from "./proof";

/** What a deal by code depends on besides its code. */
export interface Setting {
  game: string;
  seats: number;
  options: Readonly<Record<string, string>>;
}

/** One thing that was checked: `good` of `count`, and where the first bad one stands in the record. */
export interface Finding {
  what: "commitment" | "remembered" | "nonces" | "code" | "words" | "draws" | "seals" | "receipts" | "witnessed";
  good: number;
  count: number;
  event: number | null;
}

function finding<Part>(
  what: Finding["what"],
  parts: readonly Part[],
  holds: (part: Part) => boolean,
  event: (part: Part) => number | null = () => null,
): Finding {
  const bad = parts.filter((part) => !holds(part));
  return { what, good: parts.length - bad.length, count: parts.length, event: bad[0] ? event(bad[0]) : null };
}

function keyOf(proof: Proof, { game, seats, options }: Setting): Uint8Array {
  if (proof.code !== null) return keyOfCode(game, seats, options, proof.code);
  return keyOfTable(proof.secret ?? "", proof.table, proof.nonces);
}

/** What binds the draws: the commitment, the one this browser was shown, and what it added. */
function bindings(proof: Proof, receipt: Receipt | null): Finding[] {
  if (proof.code !== null) return [finding("code", [proof.code], () => true)];
  const found = [
    finding("commitment", [proof.secret ?? ""], (secret) => commitmentOf(proof.table, secret) === proof.commitment),
  ];
  if (receipt === null) return found;
  const added = Object.entries(receipt.nonces);
  found.push(finding("remembered", [receipt.commitment], (shown) => shown === proof.commitment));
  if (added.length) found.push(finding("nonces", added, ([seat, nonce]) => proof.nonces[Number(seat)] === nonce));
  return found;
}

/** What was sealed: every seal opened, and those this browser made itself, or was shown before, compared. */
function sealings({ proof, seals, numbers }: Fairness, receipt: Receipt | null): Finding[] {
  if (seals.length === 0) return [];
  const holds = (seal: Fairness["seals"][number]) => sealOf(proof.table, seal.seat, seal.do, seal.nonce) === seal.seal;
  const compared = (what: Finding["what"], known: Receipt["seals"] = {}): Finding[] => {
    const both = seals.flatMap(({ event, seal }) => {
      const receipt = known[numbers[event - 1] ?? 0];
      return receipt === undefined ? [] : [{ event, fits: seal === receipt }];
    });
    if (both.length === 0) return [];
    return [
      finding(
        what,
        both,
        ({ fits }) => fits,
        ({ event }) => event,
      ),
    ];
  };
  return [
    finding("seals", seals, holds, ({ event }) => event),
    ...compared("receipts", receipt?.seals),
    ...compared("witnessed", receipt?.witnessed),
  ];
}

/** Check everything; the words and hashes are worked out here, what they mean in the game by the server. */
export function findings(fairness: Fairness, setting: Setting, receipt: Receipt | null): Finding[] {
  const key = keyOf(fairness.proof, setting);
  const words = fairness.draws.flatMap(({ event, number, words }) =>
    words.map((word, move) => ({ event, good: wordOf(key, number, move) === word })),
  );
  return [
    ...bindings(fairness.proof, receipt),
    finding(
      "words",
      words,
      ({ good }) => good,
      ({ event }) => event,
    ),
    finding(
      "draws",
      fairness.draws,
      (draw) => draw.do === draw.expected,
      ({ event }) => event,
    ),
    ...sealings(fairness, receipt),
  ];
}
