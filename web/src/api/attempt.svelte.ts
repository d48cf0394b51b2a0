/** Something that is asked of the server: whether it is under way, and what went wrong with it. */
import { problemOf } from "./http";
import type { Problem } from "./wire";

export class Attempt {
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);

  /** Do it, and keep what went wrong. */
  async make(deed: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      await deed();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.busy = false;
  }
}
