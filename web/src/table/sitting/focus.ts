/** Keeps the focus at the game for those who play by keys: what they pressed is often gone once it is done. */
import type { Attachment } from "svelte/attachments";

const PRESSABLE = '[tabindex="0"], button:not(:disabled)';

/** Where the next decision begins: what a board has marked so, or the first thing to press in it. */
function nextIn(region: Element): HTMLElement | SVGElement | null {
  const marked = region.querySelector<HTMLElement | SVGElement>("[data-next]");
  if (!marked || marked.matches("[tabindex], button")) return marked;
  return marked.querySelector<HTMLElement | SVGElement>(PRESSABLE);
}

export class Focus {
  private region: HTMLElement | null = null;
  /** Whether the focus was last seen in the region, put there by keys. */
  private isKeyed = false;

  /** Watch over what happens within this part of the page. */
  readonly watch: Attachment<HTMLElement> = (region) => {
    this.region = region;
    const focused = (event: FocusEvent): void => this.follow(event.target);
    const pressed = (): void => void (this.isKeyed = false);
    document.addEventListener("focusin", focused);
    document.addEventListener("pointerdown", pressed, true);
    return () => {
      document.removeEventListener("focusin", focused);
      document.removeEventListener("pointerdown", pressed, true);
    };
  };

  private follow(target: EventTarget | null): void {
    if (!(target instanceof Element) || target === this.region) return;
    this.isKeyed = (this.region?.contains(target) ?? false) && target.matches(":focus-visible");
  }

  /** Something new is shown: if that took the focus away, it goes to the next decision, or waits at the game. */
  settle(): void {
    const focus = document.activeElement;
    const isLost = focus === null || focus === document.body || focus === this.region;
    if (this.region && this.isKeyed && isLost) (nextIn(this.region) ?? this.region).focus();
  }
}
