/** What people say at a table, as this page knows it: heard, on its way, refused. No DOM. */
import type { Refusal, Say, Talk, Words } from "../../api/wire";
import { Outbox } from "./outbox";

export type Phrase = NonNullable<Words["phrase"]>;

export const phrases: readonly Phrase[] = [
  "hello",
  "luck",
  "nice",
  "oops",
  "thanks",
  "sorry",
  "moment",
  "played",
  "again",
  "bye",
];

/** Who said something, as a key: a seat, or the name of an onlooker. */
export function speaker(words: Words): string {
  return words.seat === null ? `name ${words.name ?? ""}` : `seat ${String(words.seat)}`;
}

/** The words of one table. `send` puts a message on the line, if it is open. */
export class Chat {
  words = $state.raw<readonly Words[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  /** What was typed and refused, so that nobody has to type it again. */
  unsaid = $state.raw("");

  private readonly outbox: Outbox<Say>;

  constructor(
    send: (message: Say) => void,
    private readonly newId: () => string,
  ) {
    this.outbox = new Outbox(send);
  }

  /** The number of the last thing that was heard. */
  get heard(): number {
    return this.words[this.words.length - 1]?.n ?? 0;
  }

  /** Whether something is on its way. */
  get busy(): boolean {
    return !this.outbox.isEmpty;
  }

  say(what: Omit<Say, "t" | "id">): void {
    const message: Say = { t: "say", id: this.newId(), ...what };
    this.refusal = null;
    this.unsaid = "";
    this.outbox.add(message);
  }

  /** The line is open again: say once more what nobody has confirmed. */
  repeat(): void {
    this.outbox.repeat();
  }

  /** Something was said; what is told from the beginning replaces what was known, of which something was cleared. */
  received(talk: Talk): void {
    const known = talk.since === 0 ? [] : this.words;
    const last = known[known.length - 1]?.n ?? 0;
    this.words = [...known, ...talk.words.filter((words) => words.n > last)];
    for (const words of talk.words) this.outbox.take(words.id);
  }

  /** Take a refusal, if it is about something said here. */
  refused(refusal: Refusal): boolean {
    const said = this.outbox.take(refusal.id);
    if (!said) return false;
    this.refusal = refusal;
    this.unsaid = said.text ?? "";
    return true;
  }

  /** The refusal has been read. */
  dismissRefusal(): void {
    this.refusal = null;
  }
}
