/** The chat of a table on this screen: whether it is open, what of it is new, and who is muted. */
import type { Words } from "../../api/wire";
import { speaker, type Chat } from "../line/chat.svelte";

interface Stored {
  read: number;
  muted: readonly string[];
}

/** What this tab has read and does not want to hear, of one table. */
function stored(key: string): Stored {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Stored>;
    return { read: Number(found.read) || 0, muted: Array.isArray(found.muted) ? found.muted.map(String) : [] };
  } catch {
    return { read: 0, muted: [] };
  }
}

export class ChatPanel {
  open = $state(false);

  private readonly key: string;
  private read = $state(0);
  private muted = $state.raw<readonly string[]>([]);

  /** What is heard here. */
  readonly words = $derived.by(() => this.chat.words.filter((words) => !this.isMuted(words)));
  /** How much of it is new. */
  readonly unread = $derived.by(() => this.words.filter((words) => words.n > this.read && !words.cleared).length);

  constructor(
    private readonly chat: Chat,
    id: string,
  ) {
    this.key = `talk ${id}`;
    ({ read: this.read, muted: this.muted } = stored(this.key));
  }

  isMuted(words: Words): boolean {
    return this.muted.includes(speaker(words));
  }

  hears(who: string): boolean {
    return !this.muted.includes(who);
  }

  /** Hear somebody no more, or again. */
  turn(who: string): void {
    this.muted = this.hears(who) ? [...this.muted, who] : this.muted.filter((other) => other !== who);
    this.store();
  }

  /** Everything up to now has been seen. */
  seen(): void {
    const last = this.chat.words[this.chat.words.length - 1]?.n ?? 0;
    if (last <= this.read) return;
    this.read = last;
    this.store();
  }

  private store(): void {
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ read: this.read, muted: this.muted } satisfies Stored));
    } catch {
      // A browser that keeps nothing forgets this with the page.
    }
  }
}
