/** What people at a table want beside the game: on its way until it is done or refused, sent again where it may be lost. No DOM. */
import type { Answer, Ask, Refusal, Want } from "../api/wire";

/** A message that is answered by `done` or `refused`. */
export type Wish = Ask | Answer | Want;
/** The same without the id, which is made here. */
export type Unsent<Message = Wish> = Message extends Wish ? Omit<Message, "id"> : never;

/** The wishes of one page. `send` puts a message on the line, if it is open. */
export class Wishes {
  refusal: Refusal | null = null;

  private waiting = new Map<string, Wish>();

  constructor(
    private readonly send: (message: Wish) => void,
    private readonly newId: () => string,
  ) {}

  /** Whether something is on its way. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Ask for something; one thing at a time, so that a double press does no harm. */
  wish(what: Unsent): void {
    if (this.busy) return;
    const message = { ...what, id: this.newId() } as Wish;
    this.refusal = null;
    this.waiting.set(message.id, message);
    this.send(message);
  }

  /** The line is open again: ask once more for what nobody has confirmed. */
  repeat(): void {
    for (const message of this.waiting.values()) this.send(message);
  }

  done(id: string): void {
    this.waiting.delete(id);
  }

  /** Take a refusal, if it is about a wish. */
  refused(refusal: Refusal): boolean {
    if (refusal.id === null || !this.waiting.delete(refusal.id)) return false;
    this.refusal = refusal;
    return true;
  }

  /** The refusal has been read. */
  forgive(): void {
    this.refusal = null;
  }
}
