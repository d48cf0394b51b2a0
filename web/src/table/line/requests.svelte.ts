/** Requests beside the game: on their way until they are done or refused, sent again where they may be lost. No DOM. */
import type { Answer, Ask, Refusal, Want } from "../../api/wire";
import { Outbox } from "./outbox";

/** A message that is answered by `done` or `refused`. */
export type Request = Ask | Answer | Want;
/** The same without the id, which is made here. */
export type Unsent<Message = Request> = Message extends Request ? Omit<Message, "id"> : never;

/** The requests of one page. `send` puts a message on the line, if it is open. */
export class Requests {
  refusal = $state.raw<Refusal | null>(null);

  private readonly outbox: Outbox<Request>;

  constructor(
    send: (message: Request) => void,
    private readonly newId: () => string,
  ) {
    this.outbox = new Outbox(send);
  }

  /** Whether something is on its way. */
  get busy(): boolean {
    return !this.outbox.isEmpty;
  }

  /** Ask for something; one thing at a time, so that a double press does no harm. */
  make(what: Unsent): void {
    if (this.busy) return;
    const message = { ...what, id: this.newId() } as Request;
    this.refusal = null;
    this.outbox.add(message);
  }

  /** The line is open again: ask once more for what nobody has confirmed. */
  repeat(): void {
    this.outbox.repeat();
  }

  done(id: string): void {
    this.outbox.take(id);
  }

  /** Take a refusal, if it is about a request. */
  refused(refusal: Refusal): boolean {
    if (!this.outbox.take(refusal.id)) return false;
    this.refusal = refusal;
    return true;
  }

  /** The refusal has been read. */
  dismissRefusal(): void {
    this.refusal = null;
  }
}
