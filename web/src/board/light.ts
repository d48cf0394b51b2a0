/** Light: the gradients all glass and metal share, laid once into the page so that a tile stays a few paths. */
import { components } from "./components";

const svgSpace = "http://www.w3.org/2000/svg";
type Stop = readonly [offset: number, colour: string, strength: number];

/** The gradients by the names they have in the page. */
export const lights: Record<string, readonly Stop[]> = {
  "glass-sheen": [
    [0, "#fff", 0.36],
    [0.45, "#fff", 0.04],
    [1, "#000", 0.26],
  ],
  "glass-glow": [
    [0, "#fff", 0.16],
    [1, "#fff", 0],
  ],
  ...Object.fromEntries(Object.entries(components.metals).map(([name, colours]) => [`metal-${name}`, metal(colours)])),
};

function metal(colours: readonly string[]): Stop[] {
  return colours.map((colour, n) => [n / (colours.length - 1), colour, 1]);
}

let isLit = false;

/** Lay the gradients into the page; `fill="url(#metal-gold)"` and its like work from then on. */
export function light(): void {
  if (isLit || typeof document === "undefined") return;
  isLit = true;
  const sheet = made("svg", { width: 0, height: 0, "aria-hidden": "true", focusable: "false" });
  (sheet as SVGSVGElement).style.position = "absolute";
  sheet.append(...Object.entries(lights).map(([id, stops]) => gradient(id, stops)));
  document.body.append(sheet);
}

function gradient(id: string, stops: readonly Stop[]): Element {
  const line = made("linearGradient", { id, x1: 0, y1: 0, x2: 1, y2: 1 });
  line.append(
    ...stops.map(([offset, colour, strength]) =>
      made("stop", { offset, "stop-color": colour, "stop-opacity": strength }),
    ),
  );
  return line;
}

function made(name: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
