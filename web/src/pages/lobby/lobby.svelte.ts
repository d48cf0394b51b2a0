/** What the lobby shows, asked again and again; only what is new travels. */
import { getLobby, problemOf } from "../../api/http";
import type { Lobby, Problem } from "../../api/wire";

export class LobbyView {
  value = $state.raw<Lobby | null>(null);
  problem = $state.raw<Problem | null>(null);
  game = $state("");
  #mark = "";

  /** Look again; an answer to an earlier question is dropped. */
  async load(): Promise<void> {
    const { game } = this;
    try {
      const found = await getLobby(game, this.#mark);
      if (game !== this.game) return;
      this.problem = null;
      if (found) [this.value, this.#mark] = [found.lobby, found.mark];
    } catch (error) {
      if (game === this.game) this.problem = problemOf(error);
    }
  }

  /** Show one game, or all. */
  async choose(game: string): Promise<void> {
    this.game = game;
    this.#mark = "";
    await this.load();
  }
}
