/** What is asked over HTTP. Every failure is a `ProblemError` that can be told in words. */
import { current } from "../texts/texts.svelte";
import { heardDate } from "./time";
import type {
  Again,
  Change,
  Claim,
  Clear,
  Fill,
  Deal,
  Fairness,
  GameInfo,
  Lobby,
  Made,
  NewTable,
  Nonces,
  Problem,
  Quick,
  Rename,
  Replay,
  Silence,
  Step,
  Subscribe,
  Subscribed,
  Table,
  TableList,
  Terms,
  Unsubscribe,
} from "./wire";

const PATIENCE = 15_000;

const NETWORK: Problem = { reason: "table.network", values: {}, sentence: "The server cannot be reached." };
/** What an answer says that was not written by our server but by whatever stands before it. */
const BARE: Readonly<Record<number, string>> = { 429: "table.many", 503: "table.busy" };
const USUAL_WAIT = 5;
const SERVER: Problem = { reason: "table.server", values: {}, sentence: "Something went wrong here." };

/** A request that was not done, and why. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** Return the problem behind whatever was thrown. */
export function problemOf(error: unknown): Problem {
  return error instanceof ProblemError ? error.problem : { ...SERVER, sentence: String(error) };
}

function isProblem(found: unknown): found is Problem {
  return typeof found === "object" && found !== null && "reason" in found && "sentence" in found;
}

async function send(
  method: string,
  address: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = body === undefined ? more : { ...more, "Content-Type": "application/json" };
  const content = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    return await fetch(address, { method, headers, body: content, credentials: "same-origin", signal });
  } catch {
    throw new ProblemError(NETWORK);
  }
}

/** Read an answer; one that breaks off is a broken network, one that is no JSON a broken server. */
async function read(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw new ProblemError(NETWORK);
  });
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    throw new ProblemError(SERVER);
  }
}

async function ask<Answer>(method: string, address: string, body?: unknown): Promise<Answer> {
  return await answered<Answer>(await send(method, address, body));
}

async function answered<Answer>(answer: Response): Promise<Answer> {
  heardDate(answer.headers.get("Date"));
  if (answer.ok) return (await read(answer)) as Answer;
  throw new ProblemError(await refused(answer));
}

/** Why a request was not done, and in how many seconds it can be tried again where that is said. */
async function refused(answer: Response): Promise<Problem> {
  const found = await read(answer).catch((error: unknown) => problemOf(error));
  const bare = BARE[answer.status];
  const problem = isProblem(found) ? found : SERVER;
  const named = problem.reason === SERVER.reason && bare ? { ...SERVER, reason: bare } : problem;
  const wait = Number(answer.headers.get("Retry-After")) || (bare ? USUAL_WAIT : 0);
  return wait && named.values["seconds"] === undefined
    ? { ...named, values: { ...named.values, seconds: wait } }
    : named;
}

/** The address of a table's part; ids and keys come from addresses somebody may have mistyped. */
function at(id: string, ...parts: (string | number)[]): string {
  return ["/api/tables", id, ...parts].map((part, n) => (n === 0 ? part : encodeURIComponent(part))).join("/");
}

export const getGames = () => ask<readonly GameInfo[]>("GET", "/api/games");

/** What is agreed at a table, and the language of whoever makes it. */
const spoken = (terms: Terms = {}): Terms => ({ ...terms, language: current() });

export const makeTable = (table: NewTable) =>
  ask<Made>("POST", "/api/tables", { ...table, terms: spoken(table.terms) });

/** Sit down at an open table like this, or at a new one. */
export const quickMatch = (body: Quick) => ask<Made>("POST", "/api/quick", { ...body, terms: spoken(body.terms) });

/** What the lobby shows, with a mark; null while it is what is known by that mark already. */
export async function getLobby(game: string, mark: string): Promise<{ lobby: Lobby; mark: string } | null> {
  const address = game ? `/api/lobby?game=${encodeURIComponent(game)}` : "/api/lobby";
  const answer = await send("GET", address, undefined, mark ? { "If-None-Match": mark } : {});
  if (answer.status === 304) return null;
  return { lobby: await answered<Lobby>(answer), mark: answer.headers.get("ETag") ?? "" };
}

export const getMine = () => ask<TableList>("GET", "/api/tables/mine");

/** Finished games, the newest first; of one game if it is named. */
export const getOver = (game = "") => ask<TableList>("GET", `/api/tables/over${game ? `?game=${game}` : ""}`);

/** The next page of a list: `more` of the last one. */
export const getMore = (more: string) => ask<TableList>("GET", more);

/** What opens a private table to whoever has no seat there: the key of a seat's link, or of the one for looking on. */
export type TableKey = { key: string } | { watch: string };

export const getTable = (id: string, opener?: TableKey) =>
  ask<Table>("GET", opener ? `${at(id)}?${new URLSearchParams(opener).toString()}` : at(id));

/** Sit down: with the key of a link, or without one at a listed table. */
export const claimSeat = (id: string, claim: Claim) => ask<Made>("POST", at(id, "seats"), claim);

export const rename = (id: string, change: Rename) => ask<null>("PATCH", at(id, "name"), change);

/** Make a new link for a free seat; it comes with the next message of the table. */
export const renewLink = (id: string, seat: number) => ask<null>("POST", at(id, "seats", seat, "link"), {});

/** Let bots sit down on the free seats. */
export const fillSeats = (id: string, body: Fill) => ask<null>("POST", at(id, "bots"), body);

export const changeTable = (id: string, change: Change) => ask<null>("PATCH", at(id), change);

/** Let an onlooker say nothing any more, or again. */
export const silence = (id: string, body: Silence) => ask<null>("POST", at(id, "silence"), body);

/** Take away what was said. */
export const clearWords = (id: string, body: Clear) => ask<null>("POST", at(id, "clear"), body);

/** Make the rematch, or find it where somebody has made it already. */
export const playAgain = (id: string, body: Again) => ask<Made>("POST", at(id, "again"), body);

/** Add to the luck of a table. */
export const addNonces = (id: string, body: Nonces) => ask<null>("POST", at(id, "nonces"), body);

/** What proves how a finished game was dealt. */
export const getFairness = (id: string) => ask<Fairness>("GET", at(id, "fairness"));

/** The finished tables of a deal: its game, seats, code and options as they stand behind its address. */
export const getDeal = (deal: URLSearchParams) => ask<Deal>("GET", `/api/deals?${deal.toString()}`);

/** Let a record be checked and kept; it travels as it was given, so that nothing about it is mended on the way. */
export const importRecord = (record: string) => ask<Made>("POST", "/api/import", record);

export const getReplay = (id: string) => ask<Replay>("GET", at(id, "replay"));

export const getStep = (id: string, n: number) => ask<Step>("GET", at(id, "at", n));

/** The key that notices are signed with, and whether this browser is told. */
export const getNotices = () => ask<Subscribed>("GET", "/api/notices");

export const wantNotices = (body: Subscribe) => ask<null>("POST", "/api/notices", body);

export const endNotices = (body: Unsubscribe) => ask<null>("DELETE", "/api/notices", body);

/** The address of a game's record, for a link with `download`. */
export const recordAddress = (id: string) => at(id, "record");
