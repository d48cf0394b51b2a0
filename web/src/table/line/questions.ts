/** Questions about moves, each answered once: by the server, or by nobody. */
import type { Because, Refusal, Why } from "../../api/wire";
import { Outbox } from "./outbox";

/** What a question comes to that nobody will answer: nothing to say. */
const FORGOTTEN = { t: "because", legal: true, rule: "", reason: "", values: {}, sentence: "", final: "" } as const;

interface Question {
  readonly id: string;
  readonly message: Why;
  readonly answer: (because: Because) => void;
}

/** The questions of one page. `send` puts a message on the line, if it is open. */
export class Questions {
  private readonly outbox: Outbox<Question>;

  constructor(send: (message: Why) => void) {
    this.outbox = new Outbox(({ message }) => send(message));
  }

  ask(message: Why): Promise<Because> {
    return new Promise((answer) => this.outbox.add({ id: message.id, message, answer }));
  }

  /** The line is open again: ask once more. */
  repeat(): void {
    this.outbox.repeat();
  }

  answered(because: Because): void {
    this.outbox.take(because.id)?.answer(because);
  }

  /** Take a refusal, if it is about a question: that is an answer too. */
  refused(refusal: Refusal): boolean {
    const question = this.outbox.take(refusal.id);
    question?.answer({ ...refusal, t: "because", id: question.id, legal: false, final: "" });
    return question !== undefined;
  }

  /** Settle what nobody will answer any more, so that nobody waits for ever. */
  forget(): void {
    for (const { id, answer } of this.outbox.clear()) answer({ ...FORGOTTEN, id });
  }
}
