/** What the board remembers from one view to the next: the coins that came or went, which no event tells. */
import { tick } from "svelte";
import type { Happening, MozaikaView } from "../../../api/wire";
import { changes } from "./changes";
import { places, show } from "./flights";

export class Memory {
  /** By seat: coins that came or went last, 0 for none. */
  coins = $state.raw<readonly number[]>([]);
  #before: MozaikaView | null = null;

  /** Take in a new view before it is drawn, and show on the page what changed once it is. */
  follow(view: MozaikaView, fresh: readonly Happening[], page: Element | undefined): void {
    const before = this.#before;
    this.#before = view;
    const found = before && fresh.length ? changes(before, view) : null;
    const moved = (seat: number) => found?.coins.find((it) => it.seat === seat)?.by;
    const kept = found && view.phase !== "bidding" ? this.coins : [];
    this.coins = view.places.map((_, seat) => moved(seat) ?? kept[seat] ?? 0);
    if (!page || !found) return;
    const from = places(page);
    void tick().then(() => show(page, from, found));
  }
}
