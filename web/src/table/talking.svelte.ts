/** Talking at a table on this screen: whether the words are open, what of them is new, and whom one does not hear. */
import type { Words } from "../api/wire";
import { speaker } from "./conversation";
import type { Live } from "./live.svelte";

interface Kept {
  read: number;
  muted: readonly string[];
}

/** What this tab has read and does not want to hear, of one table. */
function kept(key: string): Kept {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Kept>;
    return { read: Number(found.read) || 0, muted: Array.isArray(found.muted) ? found.muted.map(String) : [] };
  } catch {
    return { read: 0, muted: [] };
  }
}

export class Talking {
  open = $state(false);

  private readonly key: string;
  private read = $state(0);
  private muted = $state.raw<readonly string[]>([]);

  /** What is heard here. */
  readonly words = $derived.by(() => this.live.words.filter((words) => !this.isMuted(words)));
  /** How much of it is new. */
  readonly unread = $derived.by(() => this.words.filter((words) => words.n > this.read && !words.cleared).length);

  constructor(
    private readonly live: Live,
    id: string,
  ) {
    this.key = `talk ${id}`;
    ({ read: this.read, muted: this.muted } = kept(this.key));
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
    this.keep();
  }

  /** Everything up to now has been seen. */
  seen(): void {
    const last = this.live.words[this.live.words.length - 1]?.n ?? 0;
    if (last <= this.read) return;
    this.read = last;
    this.keep();
  }

  private keep(): void {
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ read: this.read, muted: this.muted } satisfies Kept));
    } catch {
      // A browser that keeps nothing forgets this with the page.
    }
  }
}
