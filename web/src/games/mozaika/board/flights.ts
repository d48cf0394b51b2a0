/** Show what has changed: tiles fly from the display to a hand and from a hand to a board. */
import { fly, pop } from "../../../board/flight";
import type { Changes } from "./changes";

/** Where everything that can fly was on the screen. */
export type Places = ReadonlyMap<string, DOMRect>;

/** Remember where everything is, before the page changes. */
export function places(root: Element): Places {
  const spots = [...root.querySelectorAll<HTMLElement>("[data-spot]")];
  return new Map(spots.map((spot) => [spot.dataset.spot ?? "", spot.getBoundingClientRect()]));
}

/** Show the changes on the page as it is now. */
export function show(root: Element, from: Places, { laid, bought, flies, coins }: Changes): void {
  for (const { seat, code } of bought) travel(root, from, `open ${code}`, `hand ${String(seat)} ${code}`);
  for (const { seat, cell, code } of laid) {
    travel(root, from, `hand ${String(seat)} ${code}`, `cell ${String(seat)} ${cell}`);
  }
  for (const { seat, cell } of flies) spring(root, `cell ${String(seat)} ${cell}`);
  for (const { seat } of coins) spring(root, `purse ${String(seat)}`);
}

function found(root: Element, spot: string): Element | undefined {
  return [...root.querySelectorAll(`[data-spot="${spot}"]`)].at(-1);
}

function travel(root: Element, places: Places, start: string, end: string): void {
  const [from, node] = [places.get(start), found(root, end)];
  if (from && node) void fly(from, node.getBoundingClientRect(), node);
  else if (node) void pop(node);
}

function spring(root: Element, spot: string): void {
  const node = found(root, spot);
  if (node) void pop(node);
}
