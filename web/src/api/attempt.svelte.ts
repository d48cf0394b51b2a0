/** Something that is asked of the server: whether it is under way, and what went wrong with it. */
import { problemOf } from "./http";
import type { Problem } from "./wire";

type Deed = () => Promise<unknown>;

export class Attempt {
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  private last: Deed | null = null;

  /** Do it, and keep what went wrong. */
  async make(deed: Deed): Promise<void> {
    this.last = deed;
    this.busy = true;
    this.problem = null;
    try {
      await deed();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.busy = false;
  }

  /** Do the last thing once more. */
  readonly again = (): void => {
    if (this.last && !this.busy) void this.make(this.last);
  };
}
