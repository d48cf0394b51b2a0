/** What the seat is about to do: the tile and the cell it has in mind, until it is sent. */
import type { MozaikaView } from "../../api/wire";
import { t } from "../../texts/texts.svelte";
import type { BoardProps } from "../module";
import { reasonText } from "../refusals";
import { cells } from "./pieces";
import { values } from "./words";

/** A choice in steps: with a mouse or by keys what is pressed is done; a finger is shown it first, then confirms. */
export class Choice {
  /** Which tile of the hand. */
  chosen = $state<number | null>(null);
  /** The cell or open tile under the pointer or the focus. */
  over = $state<string | null>(null);
  /** The cell or open tile that a finger has tapped once. */
  tapped = $state<string | null>(null);
  /** Why something did not work, or what is missing. */
  note = $state("");
  isTouch = false;

  readonly #given: () => BoardProps<MozaikaView>;

  constructor(given: () => BoardProps<MozaikaView>) {
    this.#given = given;
  }

  /** "pick", "lay" or "fly" while one of these is asked of the seat; "" otherwise. */
  readonly verb = $derived.by(() => {
    const verb = this.#given().legal[0]?.split(" ")[0] ?? "";
    return verb === "bid" ? "" : verb;
  });

  /** The tile of the hand that is chosen. */
  readonly tile = $derived.by(() => {
    const { view, seat } = this.#given();
    const hand = seat === null ? null : view.places[seat]?.hand;
    return this.chosen === null ? null : (hand?.[this.chosen] ?? null);
  });

  readonly aimed = $derived(this.tapped ?? this.over);

  /** Cells that can be pressed with what is chosen. */
  readonly targets = $derived(cells.filter((cell) => this.isLegal(this.moveTo(cell))));

  /** The move that goes to this cell or takes this open tile; null while no tile is chosen. */
  moveTo(where: string): string | null {
    if (this.verb === "lay") return this.tile && `lay ${this.tile} ${where}`;
    return this.verb && `${this.verb} ${where}`;
  }

  isLegal(move: string | null): boolean {
    return move !== null && this.#given().legal.includes(move);
  }

  choose(index: number): void {
    this.chosen = this.chosen === index ? null : index;
    this.note = "";
    if (!this.targets.includes(this.tapped ?? "")) this.tapped = null;
  }

  press(where: string): void {
    const move = this.moveTo(where);
    this.note = move === null ? t("mozaika.choose-tile") : "";
    if (move === null) return;
    if (!this.isLegal(move)) void this.explain(move);
    else if (this.isTouch && this.tapped !== where) this.tapped = where;
    else this.send(move);
  }

  send(move: string): void {
    if (this.#given().busy || !this.isLegal(move)) return;
    this.#given().onmove(move);
  }

  /** Ask the rules why a move is not possible, and show what they say. */
  async explain(move: string): Promise<void> {
    this.tapped = null;
    const because = await this.#given().onwhy(move);
    if (!because.legal) this.note = reasonText(because, values, this.#given().names);
  }

  /** Forget everything: something else is asked now. */
  clear(): void {
    this.chosen = this.tapped = this.over = null;
    this.note = "";
  }
}
