/** Fairness: the published vectors, worked out a second time; and a check that finds whatever was tampered with. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fairness } from "../src/api/wire";
import { prepared, shownSeals } from "../src/fairness/nonces";
import { findings, type Finding } from "../src/fairness/checking";
import { dealAddress, freshCode } from "../src/fairness/deals";
import type { Receipt } from "../src/fairness/receipts";
import { commitmentOf, freshNonce, keyOfCode, keyOfTable, sealOf, wordOf } from "../src/fairness/proof";
import { fromHex, hex, hmac, sha256 } from "../src/fairness/sha256";
import { find } from "../src/frame/routes";
import { happening } from "./happenings";

interface Vectors {
  commitments: { table: string; secret: string; commitment: string }[];
  keys: { secret: string; table: string; nonces: (string | null)[]; key: string }[];
  codes: { game: string; seats: number; options: Record<string, string>; code: string; key: string }[];
  words: { key: string; number: number; move: number; word: string }[];
  seals: { table: string; seat: number; do: string; nonce: string; seal: string }[];
}
const file = join(import.meta.dirname, "../../docs/fairness-vectors.json");
const vectors = JSON.parse(readFileSync(file, "utf-8")) as Vectors;

describe("hashing", () => {
  it.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])("agrees with another implementation on %d bytes", (length) => {
    const [text, key] = [randomBytes(length), randomBytes(length)];
    expect(hex(sha256(text))).toBe(createHash("sha256").update(text).digest("hex"));
    expect(hex(hmac(key, text))).toBe(createHmac("sha256", key).update(text).digest("hex"));
  });
});

describe("the published vectors", () => {
  it("hold here, too", () => {
    for (const { table, secret, commitment } of vectors.commitments)
      expect(commitmentOf(table, secret)).toBe(commitment);
    for (const { secret, table, nonces, key } of vectors.keys) expect(hex(keyOfTable(secret, table, nonces))).toBe(key);
    for (const { game, seats, options, code, key } of vectors.codes)
      expect(hex(keyOfCode(game, seats, options, code))).toBe(key);
    for (const { key, number, move, word } of vectors.words) expect(wordOf(fromHex(key), number, move)).toBe(word);
    for (const { table, seat, do: move, nonce, seal } of vectors.seals)
      expect(sealOf(table, seat, move, nonce)).toBe(seal);
  });
});

const [secret, nonce, table] = ["ab".repeat(32), "cd".repeat(32), "t1"];
const setting = { game: "mozaika", seats: 2, options: {} };
const key = keyOfTable(secret, table, [nonce, null]);
const told: Fairness = {
  proof: {
    version: 1,
    table,
    commitment: commitmentOf(table, secret),
    secret,
    nonces: [nonce, null],
    code: null,
    after: 0,
    seals: [],
  },
  commitment: commitmentOf(table, secret),
  draws: [{ event: 1, number: 1, words: [wordOf(key, 1, 0), wordOf(key, 1, 1)], do: "deal", expected: "deal" }],
  seals: [{ event: 2, seat: 0, do: "bid 1", nonce, seal: sealOf(table, 0, "bid 1", nonce), expected: "" }],
  numbers: [3, 4],
};
const kept: Receipt = {
  commitment: commitmentOf(table, secret),
  nonces: { 0: nonce },
  seals: { 4: sealOf(table, 0, "bid 1", nonce) },
};

const bad = (found: readonly Finding[]) => found.filter(({ good, count }) => good < count).map(({ what }) => what);
const withProof = (more: Partial<Fairness["proof"]>): Fairness => ({ ...told, proof: { ...told.proof, ...more } });

describe("the check of a game", () => {
  it("finds everything in order where it is", () => {
    const found = findings(told, setting, kept);
    expect(bad(found)).toEqual([]);
    expect(found.map(({ what }) => what)).toEqual([
      "commitment",
      "remembered",
      "nonces",
      "words",
      "draws",
      "seals",
      "receipts",
    ]);
  });

  it("does without a memory", () => {
    expect(findings(told, setting, null).map(({ what }) => what)).toEqual(["commitment", "words", "draws", "seals"]);
  });

  it("finds another secret, even with a commitment that fits it", () => {
    const other = "ac".repeat(32);
    expect(bad(findings(withProof({ secret: other }), setting, kept))).toEqual(["commitment", "words"]);
    const cunning = withProof({ secret: other, commitment: commitmentOf(table, other) });
    expect(bad(findings(cunning, setting, kept))).toEqual(["remembered", "words"]);
  });

  it("finds that what this browser added was left out", () => {
    expect(bad(findings(withProof({ nonces: ["ce".repeat(32), null] }), setting, kept))).toEqual(["nonces", "words"]);
  });

  it("finds a word, a draw, a bid and a receipt that do not fit, and says where", () => {
    const [draw] = told.draws;
    const [seal] = told.seals;
    if (!draw || !seal) throw new Error("nothing to check");
    const words = { ...told, draws: [{ ...draw, words: ["00".repeat(8), ...draw.words.slice(1)] }] };
    expect(findings(words, setting, kept).find(({ what }) => what === "words")).toEqual({
      what: "words",
      good: 1,
      count: 2,
      event: 1,
    });
    expect(bad(findings({ ...told, draws: [{ ...draw, do: "another" }] }, setting, kept))).toEqual(["draws"]);
    expect(bad(findings({ ...told, seals: [{ ...seal, do: "bid 9" }] }, setting, kept))).toEqual(["seals"]);
    const resealed = { ...seal, do: "bid 9", seal: sealOf(table, 0, "bid 9", nonce) };
    expect(bad(findings({ ...told, seals: [resealed] }, setting, kept))).toEqual(["receipts"]);
  });

  it("compares what bots had sealed before it was opened with what they are said to have done", () => {
    const shown: Receipt = { ...kept, seals: {}, witnessed: { ...kept.seals } };
    expect(findings(told, setting, shown).at(-1)).toEqual({ what: "witnessed", good: 1, count: 1, event: null });
    const other: Receipt = { ...shown, witnessed: { 4: sealOf(table, 0, "bid 9", nonce) } };
    expect(findings(told, setting, other).at(-1)).toEqual({ what: "witnessed", good: 0, count: 1, event: 2 });
  });

  it("checks a deal by its code", () => {
    const from = keyOfCode("mozaika", 2, {}, "Tuesday");
    const draws = [{ event: 1, number: 1, words: [wordOf(from, 1, 0)], do: "deal", expected: "deal" }];
    const known = { ...withProof({ code: "Tuesday", secret: null, commitment: null, nonces: [] }), draws, seals: [] };
    expect(bad(findings(known, setting, null))).toEqual([]);
    expect(bad(findings(known, { ...setting, seats: 3 }, null))).toEqual(["words"]);
  });
});

describe("what a browser adds", () => {
  it("is made up once for each seat, for the commitment that was seen first", () => {
    const first = prepared(null, "one", [0, 2]);
    expect(Object.keys(first.nonces)).toEqual(["0", "2"]);
    const second = prepared(first, "another", [0, 1]);
    expect(second.nonces[0]).toBe(first.nonces[0]);
    expect(second.nonces[1]).toMatch(/^[0-9a-f]{64}$/);
    expect(second.commitment).toBe("one");
    expect(freshNonce()).not.toBe(freshNonce());
  });
});

describe("seals that are shown", () => {
  const known: Receipt = { commitment: "", nonces: {}, seals: {}, witnessed: { 4: "first" } };

  it("are kept while nobody can know what they hold, and the first one counts", () => {
    const events = [
      happening(3, 1, "bid 2", { seal: "opened" }),
      happening(4, 1, null, { seal: "another" }),
      happening(5, 1, null, { seal: "fresh" }),
      happening(6, 2, null),
    ];
    expect(shownSeals({ events }, known)).toEqual([[5, "fresh"]]);
  });
});

describe("a deal", () => {
  it("has an address that leads back to it", () => {
    const address = dealAddress("mozaika", "what/ever? &1", 3, { hands: "hidden" });
    const props = { game: "mozaika", code: "what/ever? &1", chosen: { seats: "3", hands: "hidden" } };
    expect(find(address).props).toEqual(props);
  });

  it("has a code that can be read out", () => {
    expect(freshCode()).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    expect(freshCode()).not.toBe(freshCode());
  });
});
