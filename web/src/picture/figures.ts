/** Figures drawn with strokes of our own: a server may have no fonts at all, and pictures need only numbers. */
import { lastMatching, type Rule } from "./styles";

/** By sign: its strokes, 44 wide and 72 high above the line, for letters of size 100. */
const strokes: Record<string, string> = {
  "0": "M22-72C6-72 0-56 0-36S6 0 22 0S44-16 44-36S38-72 22-72Z",
  "1": "M8-56L28-72V0",
  "2": "M2-54C2-66 11-72 22-72C34-72 42-65 42-53C42-38 24-26 2 0H44",
  "3": "M3-62C8-69 14-72 22-72C33-72 41-66 41-55C41-44 32-39 20-39C34-39 44-33 44-20C44-7 34 0 21 0C12 0 5-4 0-11",
  "4": "M34 0V-72L0-22H46",
  "5": "M40-72H8L5-40C10-44 16-46 22-46C35-46 44-37 44-23C44-9 34 0 21 0C12 0 5-4 0-11",
  "6": "M38-66C34-70 29-72 24-72C8-72 0-54 0-32C0-10 9 0 22 0C35 0 44-9 44-22C44-35 35-44 23-44C11-44 2-36 0-24",
  "7": "M0-72H44L16 0",
  "8": "M22-40C10-40 3-46 3-56S10-72 22-72S41-66 41-56S34-40 22-40C9-40 0-32 0-20S9 0 22 0S44-8 44-20S35-40 22-40Z",
  "9": "M6-6C10-2 15 0 20 0C36 0 44-18 44-40C44-62 35-72 22-72C9-72 0-63 0-50C0-37 9-28 21-28C33-28 42-36 44-48",
  "+": "M22-58V-14M0-36H44",
};
const ADVANCE = 58;
const LEAST = 20; // what is smaller, such as the names of rows, cannot be read in a preview

function attribute(name: string, attributes: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
}

/** A text of figures as strokes round its middle; anything else is left out. */
function drawn(attributes: string, text: string, rules: readonly Rule[]): string {
  const signs = [...text.trim()];
  if (signs.length === 0 || !signs.every((sign) => sign in strokes)) return "";
  const classes = attribute("class", attributes)?.split(" ") ?? [];
  const size = Number(/(\d+)px/.exec(lastMatching(rules, "text", classes, /^font/) ?? "")?.[1] ?? 16);
  if (size < LEAST) return "";
  const colour = lastMatching(rules, "text", classes, /^fill$/) ?? attribute("fill", attributes) ?? "#fff";
  const [x, y] = [attribute("x", attributes) ?? "0", attribute("y", attributes) ?? "0"];
  const left = (-ADVANCE * signs.length + ADVANCE - 44) / 2;
  const paths = signs.map(
    (sign, n) => `<path d="${strokes[sign] ?? ""}" transform="translate(${String(left + n * ADVANCE)} 0)"/>`,
  );
  const look = `fill="none" stroke="${colour}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${x} ${y}) scale(${String(size / 100)})" ${look}>${paths.join("")}</g>`;
}

/** Replace all texts of a picture. */
export function withFigures(svg: string, rules: readonly Rule[]): string {
  return svg.replace(/<text\b([^>]*)>([^<]*)<\/text>/g, (_, attributes: string, text: string) =>
    drawn(attributes, text, rules),
  );
}
