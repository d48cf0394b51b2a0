/** Deals that several tables share: their codes and addresses. */

type Options = Readonly<Record<string, string>>;

/** A deal that several tables share. */
export interface DealWish {
  code: string;
  seats: number;
  options: Options;
}

export const LONGEST_CODE = 40;

/** Whether this can be a code: 1 to 40 characters that are not all blank. */
export function isCode(code: string): boolean {
  const length = [...code.trim()].length;
  return length >= 1 && length <= LONGEST_CODE;
}

/** What stands behind the question mark: the seats and the options belong to a deal as much as its code. */
function behind(seats: number, options: Options): URLSearchParams {
  return new URLSearchParams({ seats: String(seats), ...options });
}

/** The page of a deal. */
export function dealAddress(game: string, code: string, seats: number, options: Options): string {
  return `/deal/${encodeURIComponent(game)}/${encodeURIComponent(code)}?${behind(seats, options).toString()}`;
}

/** What the server is asked for. */
export function dealQuery(game: string, code: string, seats: number, options: Options): URLSearchParams {
  const query = behind(seats, options);
  query.set("game", game);
  query.set("code", code);
  return query;
}

/** Letters and digits that nobody mistakes for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";

/** A code that nobody has used: 12 signs, 59 bits. */
export function freshCode(): string {
  const words = crypto.getRandomValues(new Uint32Array(12));
  const signs = Array.from(words, (word) => SIGNS[word % SIGNS.length] ?? "");
  return [0, 4, 8].map((at) => signs.slice(at, at + 4).join("")).join("-");
}
