/** Asks the server why a move is not possible, once the hand rests; only the last answer counts. */
import type { Because } from "../../../api/wire";

const REST = 150; // milliseconds that a hand has to be still

export class Explainer {
  answer = $state.raw<Because | null>(null);
  private asked = 0;

  /** Ask about a move, after a short rest unless it was pressed; returns how to take the question back. */
  ask(move: string, onwhy: (move: string) => Promise<Because>, isPressed = false): () => void {
    const number = ++this.asked;
    this.answer = null;
    const timer = setTimeout(() => void this.hear(number, onwhy(move)), isPressed ? 0 : REST);
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
