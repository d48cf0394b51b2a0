/** Messages that were sent and not answered yet, to be sent again when the line was lost. */

/** `send` puts a message on the line, if it is open. */
export class Outbox<Message extends { readonly id: string }> {
  private readonly waiting = new Map<string, Message>();

  constructor(private readonly send: (message: Message) => void) {}

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  add(message: Message): void {
    this.waiting.set(message.id, message);
    this.send(message);
  }

  /** The line is open again: send once more what nobody has answered. */
  repeat(): void {
    for (const message of this.waiting.values()) this.send(message);
  }

  /** What was sent with this id has been answered; returns it, if it is one of these. */
  take(id: string | null): Message | undefined {
    const message = id === null ? undefined : this.waiting.get(id);
    if (message) this.waiting.delete(message.id);
    return message;
  }

  /** Forget everything; returns what nobody has answered. */
  clear(): Message[] {
    const messages = [...this.waiting.values()];
    this.waiting.clear();
    return messages;
  }
}
