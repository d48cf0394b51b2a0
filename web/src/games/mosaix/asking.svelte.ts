/** Asking the rules why a placement is not possible, not at every twitch of the hand; the last answer counts. */
import type { Because } from "../../api/wire";

const PAUSE = 150;

export class Asking {
  answer = $state.raw<Because | null>(null);
  private asked = 0;

  /** Ask about a move after a short rest; returns how to take the question back. */
  ask(move: string, onwhy: (move: string) => Promise<Because>): () => void {
    const number = ++this.asked;
    this.answer = null;
    const timer = setTimeout(() => void this.hear(number, onwhy(move)), PAUSE);
    return () => {
      clearTimeout(timer);
      this.forget();
    };
  }

  private async hear(number: number, coming: Promise<Because>): Promise<void> {
    const answer = await coming.catch(() => null);
    if (number === this.asked && answer && !answer.legal) this.answer = answer;
  }

  private forget(): void {
    this.asked++;
    this.answer = null;
  }
}
