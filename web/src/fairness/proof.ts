/** What follows from what: the same mathematics as the server's, written a second time so that a page can check it. */
import { bytesOf, fromHex, hex, hmac, sha256 } from "./sha256";

const digest = (text: string) => sha256(bytesOf(text));

/** What binds a table to its secret. */
export function commitmentOf(table: string, secret: string): string {
  return hex(digest(`smalti-commit/1 ${table} ${secret}`));
}

/** The key of a table's draws: its secret, mixed with what everybody's browser has added. */
export function keyOfTable(secret: string, table: string, nonces: readonly (string | null)[]): Uint8Array {
  const added = nonces.map((nonce) => nonce ?? "-").join(" ");
  return hmac(fromHex(secret), bytesOf(`smalti-key/1 ${table} ${added}`));
}

/** The key of a deal that is known beforehand. */
export function keyOfCode(
  game: string,
  seats: number,
  options: Readonly<Record<string, string>>,
  code: string,
): Uint8Array {
  const names = Object.keys(options).sort();
  const chosen = names.map((name) => `${name}=${options[name] ?? ""}`).join(" ");
  return digest(`smalti-code/1 ${game} ${String(seats)} [${chosen}] ${code}`);
}

/** The 64 bits for one small move of an event of chance. */
export function wordOf(key: Uint8Array, number: number, move: number): string {
  return hex(hmac(key, bytesOf(`smalti-draw/2 ${String(number)} ${String(move)}`)).slice(0, 8));
}

/** What binds a seat to what it has decided. */
export function sealOf(table: string, seat: number, move: string, nonce: string): string {
  return hex(digest(`smalti-seal/1 ${table} ${String(seat)} ${move} ${nonce}`));
}

/** Something nobody can foresee: 256 bits. */
export function freshNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}
