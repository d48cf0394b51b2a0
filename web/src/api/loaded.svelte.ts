/** Something that is fetched: there or not yet, and what went wrong. */
import type { Problem } from "./wire";
import { problemOf } from "./http";

export class Loaded<Value> {
  value = $state.raw<Value | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly #fetch: () => Promise<Value>;

  constructor(fetch: () => Promise<Value>) {
    this.#fetch = fetch;
  }

  /** Fetch it (again); what is there already stays until the new one comes. */
  async load(): Promise<void> {
    this.problem = null;
    try {
      this.value = await this.#fetch();
    } catch (error) {
      this.problem = problemOf(error);
    }
  }
}
