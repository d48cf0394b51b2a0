/** Drag a tile of the hand onto a cell of the board. */
import type { Attachment } from "svelte/attachments";

const FAR_ENOUGH = 8; // pixels, before a press becomes a drag

export interface Drag {
  /** The cell the tile is held over; null elsewhere. */
  onover: (cell: string | null) => void;
  /** The cell the tile was let go over; null elsewhere. */
  ondrop: (cell: string | null) => void;
}

/** Let a node be dragged: a copy of its picture follows the pointer. */
export function draggable(isAllowed: () => boolean, drag: Drag): Attachment<HTMLElement> {
  return (node) => {
    const pressed = (event: PointerEvent): void => {
      if (event.button === 0 && isAllowed()) follow(node, event, drag);
    };
    node.addEventListener("pointerdown", pressed);
    return () => node.removeEventListener("pointerdown", pressed);
  };
}

function follow(node: HTMLElement, start: PointerEvent, drag: Drag): void {
  const ended = new AbortController();
  let copy: HTMLElement | null = null;
  const moved = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    if (!copy && Math.hypot(event.x - start.x, event.y - start.y) < FAR_ENOUGH) return;
    copy ??= lifted(node);
    copy.style.translate = `${String(event.x - start.x)}px ${String(event.y - start.y)}px`;
    drag.onover(cellUnder(event));
  };
  const finish = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    ended.abort();
    if (!copy) return;
    copy.remove();
    swallowClick();
    drag.ondrop(event.type === "pointerup" ? cellUnder(event) : null);
  };
  const options = { signal: ended.signal };
  window.addEventListener("pointermove", moved, options);
  window.addEventListener("pointerup", finish, options);
  window.addEventListener("pointercancel", finish, options);
}

/** The click that ends a drag is not a press. */
function swallowClick(): void {
  const swallow = (event: Event): void => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, true), 50);
}

function lifted(node: HTMLElement): HTMLElement {
  const { x, y, width, height } = node.getBoundingClientRect();
  const copy = node.cloneNode(true) as HTMLElement;
  copy.setAttribute("aria-hidden", "true");
  copy.removeAttribute("id");
  const place = {
    left: `${String(x)}px`,
    top: `${String(y)}px`,
    width: `${String(width)}px`,
    height: `${String(height)}px`,
  };
  Object.assign(copy.style, { ...place, position: "fixed", margin: "0", pointerEvents: "none", zIndex: "60" });
  document.body.append(copy);
  return copy;
}

function cellUnder(event: PointerEvent): string | null {
  const found = document.elementFromPoint(event.x, event.y)?.closest<SVGElement>("[data-cell]");
  return found?.dataset.cell ?? null;
}
