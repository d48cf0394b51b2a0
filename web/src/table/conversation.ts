/** What people say at a table, as this page knows it: heard, on its way, refused. No DOM. */
import type { Refusal, Say, Talk, Words } from "../api/wire";

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
export class Conversation {
  words: readonly Words[] = [];
  refusal: Refusal | null = null;
  /** What was typed and refused, so that nobody has to type it again. */
  unsaid = "";

  private waiting = new Map<string, Say>();

  constructor(
    private readonly send: (message: Say) => void,
    private readonly newId: () => string,
  ) {}

  /** The number of the last thing that was heard. */
  get heard(): number {
    return this.words[this.words.length - 1]?.n ?? 0;
  }

  /** Whether something is on its way. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  say(what: Omit<Say, "t" | "id">): void {
    const message: Say = { t: "say", id: this.newId(), ...what };
    this.refusal = null;
    this.unsaid = "";
    this.waiting.set(message.id, message);
    this.send(message);
  }

  /** The line is open again: say once more what nobody has confirmed. */
  repeat(): void {
    for (const message of this.waiting.values()) this.send(message);
  }

  /** Something was said; what is told from the beginning replaces what was known, of which something was cleared. */
  received(talk: Talk): void {
    const known = talk.since === 0 ? [] : this.words;
    const last = known[known.length - 1]?.n ?? 0;
    this.words = [...known, ...talk.words.filter((words) => words.n > last)];
    for (const words of talk.words) if (words.id !== null) this.waiting.delete(words.id);
  }

  /** Take a refusal, if it is about something said here. */
  refused(refusal: Refusal): boolean {
    const said = refusal.id === null ? undefined : this.waiting.get(refusal.id);
    if (!said) return false;
    this.waiting.delete(said.id);
    this.refusal = refusal;
    this.unsaid = said.text ?? "";
    return true;
  }

  /** The refusal has been read. */
  forgive(): void {
    this.refusal = null;
  }
}
