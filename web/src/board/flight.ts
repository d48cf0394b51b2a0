/** Flight: short movements that show what changed. Never longer than 0.8 s, and over at any press or key. */

const LONGEST = 800;
const running = new Set<Animation>();

/** Whether things may move: not if the system or the preferences ask for stillness. */
export function mayMove(): boolean {
  if (typeof window === "undefined" || document.documentElement.dataset.motion === "off") return false;
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Show a copy of the node flying from one place on the screen to another; the node itself is unseen meanwhile. */
export async function fly(from: DOMRect, to: DOMRect, node: Element, duration = 550): Promise<void> {
  if (!mayMove() || !isDrawn(from) || !isDrawn(to)) return;
  const copy = copied(node, to);
  document.body.append(copy);
  const hidden = node as HTMLElement | SVGElement;
  hidden.style.visibility = "hidden";
  const start = `translate(${String(from.x - to.x)}px, ${String(from.y - to.y)}px) scale(${String(from.width / to.width)})`;
  await played(
    copy,
    { transform: [start, "translate(0, 0) scale(1)"] },
    { duration, easing: "cubic-bezier(.3, 0, .2, 1)" },
  );
  hidden.style.visibility = "";
  copy.remove();
}

/** Let a node spring up in its place, if wanted a little later than others. */
export async function pop(node: Element, duration = 320, delay = 0): Promise<void> {
  await inPlace(node, { scale: ["0.6", "1.08", "1"], opacity: [0, 1, 1] }, duration, delay);
}

/** Turn a node over, as a tile is turned. */
export async function turn(node: Element, duration = 420): Promise<void> {
  await inPlace(node, { scale: ["1 1", "0.04 1.06", "1 1"] }, duration);
}

async function inPlace(node: Element, frames: PropertyIndexedKeyframes, duration: number, delay = 0): Promise<void> {
  if (!mayMove()) return;
  const { style } = node as HTMLElement | SVGElement;
  style.transformBox = "fill-box";
  style.transformOrigin = "center";
  await played(node, frames, { duration, delay, easing: "ease-out" });
  style.transformBox = style.transformOrigin = "";
}

/** End everything that moves, at once. */
export function skip(): void {
  for (const animation of [...running]) animation.finish();
}

async function played(node: Element, frames: PropertyIndexedKeyframes, timing: KeyframeEffectOptions): Promise<void> {
  const delay = Math.min(timing.delay ?? 0, LONGEST / 2);
  const duration = Math.min(Number(timing.duration), LONGEST - delay);
  const animation = node.animate(frames, { ...timing, delay, duration, fill: "backwards" });
  if (running.size === 0) listen();
  running.add(animation);
  await animation.finished.catch(() => undefined);
  running.delete(animation);
  if (running.size === 0) unlisten();
}

function listen(): void {
  window.addEventListener("pointerdown", skip, true);
  window.addEventListener("keydown", skip, true);
}

function unlisten(): void {
  window.removeEventListener("pointerdown", skip, true);
  window.removeEventListener("keydown", skip, true);
}

function isDrawn(box: DOMRect): boolean {
  return box.width > 0 && box.height > 0;
}

/** A copy of the node above the page; a part of an SVG gets an SVG of its own. */
function copied(node: Element, box: DOMRect): HTMLElement | SVGElement {
  const copy = node.cloneNode(true) as HTMLElement | SVGElement;
  copy.removeAttribute("id");
  const holder = node instanceof SVGGraphicsElement && !(node instanceof SVGSVGElement) ? framed(node, copy) : copy;
  holder.setAttribute("aria-hidden", "true");
  Object.assign(holder.style, {
    position: "fixed",
    left: `${String(box.x)}px`,
    top: `${String(box.y)}px`,
    width: `${String(box.width)}px`,
    height: `${String(box.height)}px`,
    margin: "0",
    overflow: "visible",
    transformOrigin: "0 0",
    pointerEvents: "none",
    zIndex: "50",
  });
  return holder;
}

function framed(part: SVGGraphicsElement, copy: HTMLElement | SVGElement): SVGSVGElement {
  const { x, y, width, height } = part.getBBox();
  const frame = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  frame.setAttribute("viewBox", [x, y, width, height].join(" "));
  copy.removeAttribute("transform");
  frame.append(copy);
  return frame;
}
