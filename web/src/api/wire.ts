// Written by tools/wire_types.py from the server's messages and the games' views. Do not edit.


/** Play again. Bots may be replaced, by the seats they had. */
export interface Again {
  readonly bots?: Readonly<Record<string, string>>;
}

/** Agree or not to the proposal of number `n`; whoever has asked withdraws it by a no. */
export interface Answer {
  readonly t: "answer";
  readonly id: string;
  readonly seat: number;
  readonly n: number;
  readonly yes: boolean;
}

/** Ask the others at the table to agree to something. `id` makes a second sending harmless. */
export interface Ask {
  readonly t: "ask";
  readonly id: string;
  readonly seat: number;
  readonly what: string;
  readonly values?: Readonly<Record<string, number | string>>;
}

/** What the host changes: who may look on, whether the table is listed. */
export interface Change {
  readonly onlookers?: "all" | "link" | "none" | null;
  readonly listed?: boolean | null;
}

/** Sit down: with the key of a link, or at a listed table without one. */
export interface Claim {
  readonly name: string;
  readonly key?: string | null;
}

/** Take away what was said: one thing by its number, or everything, among the players or the onlookers. */
export interface Clear {
  readonly onlookers: boolean;
  readonly n?: number | null;
}

/** How much time a seat has: `live` for the game, and more with every decision; `slow` for each decision. */
export interface Clock {
  readonly kind: "live" | "slow";
  readonly seconds: number;
  readonly increment?: number;
}

/** A seat does something. `id` makes a second sending harmless, `n` is the number of the state it answers. Several moves in a list are one decision: all of them or none, and one step to take back. What is decided under seal gets a `nonce` of 64 hexadecimal digits, made up by the page. */
export interface Do {
  readonly t: "do";
  readonly id: string;
  readonly n: number;
  readonly seat: number;
  readonly do: string | readonly string[];
  readonly nonce?: string | null;
}

/** Whether this page is in sight now; who looks at a table needs no notice of it. */
export interface Eyes {
  readonly t: "eyes";
  readonly open: boolean;
}

/** Let this bot sit down on these free seats, or on all that are free. */
export interface Fill {
  readonly bot: string;
  readonly seats?: readonly number[] | null;
}

/** Show me the table from this seat (null: as an onlooker); I have everything up to number `since`. Of what people have said I have heard everything up to number `heard`. */
export interface Look {
  readonly t: "look";
  readonly seat: number | null;
  readonly since?: number;
  readonly heard?: number;
}

/** A table to be made. */
export interface NewTable {
  readonly game: string;
  readonly seats: readonly SeatWish[];
  readonly options?: Readonly<Record<string, string>>;
  readonly terms?: Terms;
  readonly listed?: boolean;
  readonly onlookers?: "all" | "link" | "none";
  readonly start?: Start | null;
}

/** What a browser adds to the luck of a table for its seats: 64 hexadecimal digits each, at random. `commitment` is the one the page was shown before it made them up. */
export interface Nonces {
  readonly commitment: string;
  readonly nonces: Readonly<Record<string, string>>;
}

/** Are you there? Answered by `pong`. */
export interface Ping {
  readonly t: "ping";
}

/** Seat me at an open table like this, or at a new one where there is none. */
export interface Quick {
  readonly game: string;
  readonly seats: number;
  readonly name: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly terms?: Terms;
}

/** Another name for a seat of mine, or for all of them. */
export interface Rename {
  readonly name: string;
  readonly seat?: number | null;
}

/** Say something to the others at the table: a text, or a phrase. Onlookers talk among themselves, with a name. */
export interface Say {
  readonly t: "say";
  readonly id: string;
  readonly seat: number | null;
  readonly text?: string | null;
  readonly phrase?: "again" | "bye" | "hello" | "luck" | "moment" | "nice" | "oops" | "played" | "sorry" | "thanks" | null;
  readonly name?: string | null;
}

/** Who is to sit here: someone at this screen ("here"), someone with the link ("link"), or a bot ("bot"). */
export interface SeatWish {
  readonly kind: string;
  readonly name?: string | null;
  readonly bot?: string | null;
}

/** Let an onlooker say nothing any more at this table, or again; the host is told their `id`. */
export interface Silence {
  readonly speaker: string;
  readonly silenced?: boolean;
}

/** A point of a game that is over, or was imported: the table after event `n`. */
export interface Start {
  readonly table: string;
  readonly n: number;
}

/** Where this browser wants to be told that it is its turn: what its push service gave it, base64url. */
export interface Subscribe {
  readonly endpoint: string;
  readonly key: string;
  readonly auth: string;
  readonly language: "de" | "en" | "fr" | "hu" | "nl" | "pl";
}

/** What was agreed at a table beyond the game and its options. */
export interface Terms {
  readonly language?: "de" | "en" | "fr" | "hu" | "nl" | "pl" | "";
  readonly fair?: number;
  readonly code?: string | null;
  readonly clock?: Clock | null;
  readonly late?: "move" | "resign" | "seat";
  readonly stand_in?: string;
  readonly finders?: "all" | "link" | "players" | "";
}

/** This address is to be told nothing any more. */
export interface Unsubscribe {
  readonly endpoint: string;
}

/** Something a seat does beside the game. "back" takes its last step back, as of state `n`; "resign" gives up; "leave" goes for good; "hand-on" gives one's seat to whoever comes with its new link; "return" takes a lent seat again, or one that the host has freed before the game; "host" takes over from a host who is absent. `bot` plays on for whoever goes. */
export interface Want {
  readonly t: "want";
  readonly id: string;
  readonly seat: number;
  readonly what: "back" | "hand-on" | "host" | "leave" | "resign" | "return";
  readonly n?: number;
  readonly bot?: string | null;
}

/** Why could this seat not do this, perhaps after these? Changes nothing; answered by `because`. */
export interface Why {
  readonly t: "why";
  readonly id: string;
  readonly seat: number;
  readonly do: string | readonly string[];
  readonly after?: readonly string[];
}

export type FromPage = Look | Do | Why | Say | Eyes | Ask | Answer | Want | Ping;

/** The answer to `why`; without a rule and a reason where it is legal. */
export interface Because {
  readonly t: "because";
  readonly id: string;
  readonly legal: boolean;
  readonly rule: string;
  readonly reason: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly sentence: string;
  readonly final: string;
}

/** How much time everybody has at the moment this is sent; after each state of a table that has clocks. */
export interface Clocks {
  readonly t: "clocks";
  readonly n: number;
  readonly at: number;
  readonly left: readonly (number | null)[];
  readonly running: readonly number[];
  readonly paused: boolean;
  readonly late: readonly ("move" | "resign" | "seat" | null)[];
}

/** A deal that several tables share, and what the finished ones came to, the best first. Whoever still plays it is not told where the others can be replayed: then `id` of the tables is empty. */
export interface Deal {
  readonly game: string;
  readonly seats: number;
  readonly options: Readonly<Record<string, string>>;
  readonly code: string;
  readonly playing: boolean;
  readonly tables: readonly TableLine[];
}

/** What the message with this id asked for is stored, or was already. */
export interface Done {
  readonly t: "done";
  readonly id: string;
}

/** An event of chance: what happened, and what follows from the proof. */
export interface Draw {
  readonly event: number;
  readonly number: number;
  readonly words: readonly string[];
  readonly do: string;
  readonly expected: string;
}

/** How a game ended before its end. */
export interface Ended {
  readonly how: string;
  readonly by: number | null;
}

/** What proves how a finished game was dealt: every draw with its 64-bit words, every seal with what opens it. */
export interface Fairness {
  readonly proof: Proof;
  readonly commitment: string | null;
  readonly draws: readonly Draw[];
  readonly seals: readonly Seal[];
  readonly numbers: readonly number[];
}

/** A game that can be played here. */
export interface GameInfo {
  readonly name: string;
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly seats: readonly number[];
  readonly rules: number;
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly hints: Readonly<Record<string, string>>;
  readonly bots: readonly string[];
  readonly ready: number;
}

/** One event of the game as this audience may know it. */
export interface Happening {
  readonly n: number;
  readonly by: number | null;
  readonly do: string | null;
  readonly at: number;
  readonly id: string | null;
  readonly seal: string | null;
  readonly back: boolean;
  readonly gone: number | null;
  readonly late: boolean;
}

/** One line of a score: a structure, area, group, bonus or fly, with its cells, its points and its rule. */
export interface Item {
  readonly seat: number;
  readonly rule: string;
  readonly kind: string;
  readonly points: number;
  readonly cells: readonly string[];
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Tables that seek players, and games that everybody may watch; the newest first. */
export interface Lobby {
  readonly seeking: readonly TableLine[];
  readonly playing: readonly TableLine[];
}

/** The table that was made, joined or found. */
export interface Made {
  readonly id: string;
  readonly seats: readonly number[];
}

/** What opens a seal: the event of the record that was sealed, its nonce, and the seal. */
export interface Opening {
  readonly event: number;
  readonly nonce: string;
  readonly seal: string;
}

/** Here I am. */
export interface Pong {
  readonly t: "pong";
}

/** Who is connected: the seats, and how many onlookers. */
export interface Presence {
  readonly t: "presence";
  readonly seats: readonly boolean[];
  readonly watching: number;
  readonly absent: readonly (number | null)[];
  readonly host_absent: number | null;
}

/** Why a request was not done. `reason` is a key for translation with its `values`. */
export interface Problem {
  readonly reason: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}

/** Everything that the draws of a game follow from; in a record it stands under `fairness`. */
export interface Proof {
  readonly version: number;
  readonly table: string;
  readonly commitment: string | null;
  readonly secret: string | null;
  readonly nonces: readonly (string | null)[];
  readonly code: string | null;
  readonly after: number;
  readonly seals: readonly Opening[];
}

/** What a seat asks the others for, or has asked for last. */
export interface Proposed {
  readonly n: number;
  readonly by: number;
  readonly what: string;
  readonly values: Readonly<Record<string, number | string | null>>;
  readonly needed: readonly number[];
  readonly agreed: readonly number[];
  readonly outcome: string;
  readonly closer: number | null;
  readonly until: number | null;
}

/** No: nothing has changed. `reason` is a key for translation with its `values`. */
export interface Refusal {
  readonly t: "refused";
  readonly id: string | null;
  readonly rule: string;
  readonly reason: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}

/** A finished or imported game: people, all events, and what it came to. The views are fetched one by one. */
export interface Replay {
  readonly id: string;
  readonly game: string;
  readonly options: Readonly<Record<string, string>>;
  readonly rules: number;
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly made: number;
  readonly ended: number;
  readonly events: readonly Happening[];
  readonly story: readonly Happening[];
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly verdict: string;
  readonly origin: string;
  readonly start: Start | null;
  readonly over: boolean;
  readonly resigned: readonly number[];
  readonly how: Ended | null;
  readonly code: string | null;
  readonly finders: "all" | "link" | "players";
}

/** A sealed decision and what opens its seal. */
export interface Seal {
  readonly event: number;
  readonly seat: number;
  readonly do: string;
  readonly nonce: string;
  readonly seal: string;
  readonly expected: string;
}

/** A place at the table and who sits there. */
export interface Seat {
  readonly kind: string;
  readonly name: string | null;
  readonly bot: string | null;
  readonly here: boolean;
  readonly mine: boolean;
  readonly link: string | null;
  readonly owner: string | null;
  readonly claim: boolean;
  readonly resigned: boolean;
  readonly ready: boolean;
}

/** An onlooker who has said something, for the host, who may silence them. */
export interface Speaker {
  readonly id: string;
  readonly name: string;
  readonly silenced: boolean;
}

/** The game as one seat (null: an onlooker) sees it after event `n`, and what happened since it was asked. */
export interface State {
  readonly t: "state";
  readonly n: number;
  readonly seat: number | null;
  readonly since: number;
  readonly events: readonly Happening[];
  readonly view: unknown;
  readonly acting: readonly number[];
  readonly legal: readonly string[];
  readonly change: readonly string[];
  readonly asked: number;
  readonly secret: boolean;
  readonly score: readonly Item[];
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly verdict: string;
  readonly back: readonly string[];
}

/** The table after an event of a finished game, with nothing hidden from the archive. */
export interface Step {
  readonly n: number;
  readonly view: unknown;
  readonly acting: readonly number[];
  readonly score: readonly Item[];
  readonly scores: readonly number[];
}

/** The key that notices from here are signed with, base64url, and whether this browser is told. */
export interface Subscribed {
  readonly key: string;
  readonly on: boolean;
}

/** The people at the table; sent when it changes. */
export interface Table {
  readonly t: "table";
  readonly n: number;
  readonly id: string;
  readonly game: string;
  readonly options: Readonly<Record<string, string>>;
  readonly terms: Terms;
  readonly rules: number;
  readonly seats: readonly Seat[];
  readonly host: boolean;
  readonly listed: boolean;
  readonly lapsed: boolean;
  readonly onlookers: "all" | "link" | "none";
  readonly watch_link: string | null;
  readonly watching: number;
  readonly stage: string;
  readonly next: string | null;
  readonly start: Start | null;
  readonly proposal: Proposed | null;
  readonly ended: Ended | null;
  readonly commitment: string | null;
  readonly finders: "all" | "link" | "players";
  readonly speakers: readonly Speaker[];
}

/** A table in a list. */
export interface TableLine {
  readonly id: string;
  readonly game: string;
  readonly stage: string;
  readonly seats: readonly Seat[];
  readonly made: number;
  readonly last: number;
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly how: Ended | null;
  readonly my_turn: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly terms: Terms;
  readonly host: string | null;
  readonly watching: number;
  readonly origin: string;
  readonly left: number | null;
  readonly is_open: boolean;
}

/** Tables, the newest first; `more` is the address of the next page. */
export interface TableList {
  readonly tables: readonly TableLine[];
  readonly more: string | null;
}

/** What was said after number `since`, among the players or, for an onlooker, among the onlookers. With `since` 0 it is everything, in place of what was told before: something has been cleared. */
export interface Talk {
  readonly t: "talk";
  readonly since: number;
  readonly words: readonly Words[];
}

/** Something that was said, by a seat or by an onlooker with a name. */
export interface Words {
  readonly n: number;
  readonly at: number;
  readonly id: string | null;
  readonly seat: number | null;
  readonly name: string | null;
  readonly text: string | null;
  readonly phrase: "again" | "bye" | "hello" | "luck" | "moment" | "nice" | "oops" | "played" | "sorry" | "thanks" | null;
  readonly cleared: boolean;
}

/** Why a record was not imported: also where it is wrong, in which game, and by which rule. */
export interface WrongRecord {
  readonly reason: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly sentence: string;
  readonly game: string;
  readonly event: number | null;
  readonly rule: string;
}

export type ToPage = Table | State | Refusal | Because | Talk | Clocks | Presence | Done | Pong;

/** A board as text: rows of tokens, None where there is no cell; lines of text below it. */
export interface TextBoard {
  readonly title: string;
  readonly seat: number | null;
  readonly rows: readonly (readonly (string | null)[])[];
  readonly notes: readonly string[];
  readonly named: boolean;
}

/** What is shown of a game for which nobody has drawn a board: all its boards as text. */
export interface TextView {
  readonly boards: readonly TextBoard[];
}

/** A grid as it stands. */
export interface MosaixGrid {
  readonly rows: readonly string[];
  readonly printed: string | null;
  readonly worth: number;
}

/** The whole table: nothing is hidden. */
export interface MosaixView {
  readonly phase: string;
  readonly roller: number;
  readonly waiting: readonly number[];
  readonly dice: string | null;
  readonly formation: string | null;
  readonly arrangement: string | null;
  readonly boxes: number | null;
  readonly idle: number;
  readonly patience: number;
  readonly grids: readonly MosaixGrid[];
  readonly fits: Readonly<Record<string, readonly string[]>> | null;
  readonly passes: string | null;
}

/** A seat's board, hand and purse; what may not be seen is None. */
export interface MozaikaPlace {
  readonly board: readonly (readonly string[])[];
  readonly hand: readonly string[] | null;
  readonly coins: number;
  readonly bid: number | null;
  readonly worth: number;
  readonly prospects: readonly MozaikaProspect[];
}

/** Something that is not complete and can still be. */
export interface MozaikaProspect {
  readonly kind: string;
  readonly name: string;
  readonly same: string | null;
  readonly of: string | null;
  readonly worth: number;
  readonly cells: readonly string[];
  readonly missing: number;
}

/** The table as one seat (or an onlooker) sees it. */
export interface MozaikaView {
  readonly phase: string;
  readonly round: number;
  readonly starter: number;
  readonly waiting: readonly number[];
  readonly order: readonly number[] | null;
  readonly picked: number;
  readonly fly: number | null;
  readonly flies_from: number;
  readonly display: readonly string[];
  readonly places: readonly MozaikaPlace[];
  readonly incomes: Readonly<Record<string, number>> | null;
}

/** A group as it stands. */
export interface PatternsGroup {
  readonly colour: string;
  readonly marker: number;
  readonly marked: string;
  readonly cells: readonly string[];
  readonly worth: number;
}

/** The whole table: nothing is hidden. */
export interface PatternsView {
  readonly phase: string;
  readonly turn: number | null;
  readonly fronts: Readonly<Record<string, string>>;
  readonly groups: readonly (readonly PatternsGroup[])[];
  readonly bowls: readonly string[] | null;
  readonly start: readonly string[] | null;
  readonly forbidden: readonly Readonly<Record<string, string>>[];
}

/** Why something can be refused: the pages have a text for each. */

export const reasons = [
  "table.gone",
  "table.address",
  "table.full",
  "table.used",
  "table.link",
  "table.closed",
  "table.private",
  "table.held",
  "table.sealed",
  "table.clocked",
  "table.agreed-bot",
  "table.not-host",
  "table.not-yours",
  "table.name",
  "table.same-name",
  "table.over",
  "table.not-over",
  "table.started",
  "table.bots",
  "table.seats",
  "table.options",
  "table.game",
  "table.kind",
  "table.rules",
  "table.origin",
  "table.format",
  "table.large",
  "table.long-address",
  "table.headers",
  "table.stored",
  "table.many",
  "table.busy",
  "table.slow",
  "table.away",
  "table.damaged",
  "table.compiling",
  "table.host",
  "table.stale",
  "table.turn",
  "table.notation",
  "table.words",
  "table.silenced",
  "table.commitment",
  "table.nonce",
  "table.code",
  "table.unproven",
  "table.push",
  "table.clock",
  "table.late",
  "table.pause",
  "table.paused",
  "table.asked",
  "table.matter",
  "table.back",
  "table.not-begun",
  "table.present",
  "table.event",
  "table.start",
  "table.final",
  "table.record",
  "table.long",
  "table.server",
  "mosaix.over",
  "mosaix.over-solo",
  "mosaix.deal-first",
  "mosaix.roll-first",
  "mosaix.form-first",
  "mosaix.write-first",
  "mosaix.wrote-already",
  "mosaix.not-a-card",
  "mosaix.not-the-dice",
  "mosaix.off-the-grid",
  "mosaix.taken",
  "mosaix.can-write",
  "mosaix.boxes",
  "mosaix.fits-nowhere",
  "mosaix.stop-solo-only",
  "mosaix.stop-too-late",
  "mozaika.over",
  "mozaika.deal-first",
  "mozaika.draw-first",
  "mozaika.not-in-the-bag",
  "mozaika.bid-first",
  "mozaika.bid-already",
  "mozaika.too-many-coins",
  "mozaika.pick-first",
  "mozaika.not-open",
  "mozaika.lay-first",
  "mozaika.laid-already",
  "mozaika.not-in-hand",
  "mozaika.taken",
  "mozaika.fly-first",
  "mozaika.no-tile",
  "mozaika.fly-already",
  "patterns.over",
  "patterns.deal-first",
  "patterns.dealt-already",
  "patterns.ring-count",
  "patterns.centre-colours",
  "patterns.give-first",
  "patterns.given-already",
  "patterns.not-a-start-tile",
  "patterns.not-your-turn",
  "patterns.opened-already",
  "patterns.not-beside-own",
  "patterns.no-group-to-swap",
  "patterns.not-beside-group",
  "patterns.back-up",
  "patterns.touches-opponent",
  "patterns.no-passing",
  "patterns.only-flips",
] as const;
