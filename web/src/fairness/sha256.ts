/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers have them only on secure pages, and a check that fails on
 * somebody's home network would be no check.
 */

const BLOCK = 64;

/** The first 32 bits of the fraction of a root of the first primes. */
function fractions(count: number, root: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (prime ** (1 / root) % 1) * 2 ** 32);
}

const START = fractions(8, 2);
const ROUNDS = fractions(64, 3);

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Fill the last block: a one, zeros, and how many bits there were. */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const found = new Uint8Array(length);
  found.set(bytes);
  found[bytes.length] = 0x80;
  const view = new DataView(found.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length << 3);
  return view;
}

/** The sixteen words of a block, and the forty-eight that are made of them. */
function schedule(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64);
  for (let n = 0; n < 16; n++) words[n] = view.getUint32(at + 4 * n);
  const word = (n: number) => words[n] ?? 0;
  for (let n = 16; n < 64; n++) {
    const [early, late] = [word(n - 15), word(n - 2)];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[n] = word(n - 16) + one + word(n - 7) + two;
  }
  return words;
}

/** Mix one block into the state. */
function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let n = 0; n < 64; n++) {
    const choice = (e & f) ^ (~e & g);
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (ROUNDS[n] ?? 0) + (words[n] ?? 0);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, n) => (state[n] = (state[n] ?? 0) + value));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const [state, view] = [START.slice(), padded(bytes)];
  for (let at = 0; at < view.byteLength; at += BLOCK) mix(state, schedule(view, at));
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => found.setUint32(4 * n, word));
  return new Uint8Array(found.buffer);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const found = new Uint8Array(one.length + other.length);
  found.set(one);
  found.set(other, one.length);
  return found;
}

export function hmac(key: Uint8Array, text: Uint8Array): Uint8Array {
  const whole = new Uint8Array(BLOCK);
  whole.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    joined(
      whole.map((byte) => byte ^ 0x36),
      text,
    ),
  );
  return sha256(
    joined(
      whole.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
