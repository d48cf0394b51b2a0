/** Glass: the colours and shapes of tiles, and how a piece is cut by hand. */
import { components } from "./components";

/** The colours of glass, each with the colour of what is inlaid, and the shapes: paths round (0, 0), about 1 away. */
export const { palette, shapes } = components;
export type Colour = keyof typeof palette;
export type Shape = keyof typeof shapes;

/** The bed that tiles lie in, the same in both themes. */
export const bed = components.bed;

/** By seat: what groups are set in. */
export const metals = Object.keys(components.metals) as (keyof typeof components.metals)[];

type Point = readonly [number, number];

/** A closed path through these points. */
export function outline(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

// --- Colours

/** Mix two colours; the share is the second one's. */
export function mixed(colour: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [one, two] = [parseInt(colour.slice(at, at + 2), 16), parseInt(other.slice(at, at + 2), 16)];
    return Math.round(one + (two - one) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** Whether light things show well on a colour. */
export function isDark(colour: string): boolean {
  return [1, 3, 5].reduce((sum, at) => sum + parseInt(colour.slice(at, at + 2), 16), 0) < 3 * 128;
}

// --- How a piece is cut

/** A piece of glass as paths round (0, 0), for a cell of 100. */
export interface Piece {
  tint: string;
  outer: string;
  face: string;
  /** The four slanting edges: top, right, bottom, left. */
  edges: readonly string[];
  streak: string;
  /** Faint waves, as poured glass has them. */
  ripples: string;
}

const cutBefore = new Map<string, Piece>();

/** Cut a piece of glass as evenly as a hand cuts it; the same seed always gives the same piece. */
export function cut(colour: Colour, seed: string, half = 46): Piece {
  const name = `${colour} ${seed} ${String(half)}`;
  const known = cutBefore.get(name);
  if (known) return known;
  const piece = freshlyCut(palette[colour].body, luckOf(seed), half);
  cutBefore.set(name, piece);
  return piece;
}

function freshlyCut(body: string, luck: () => number, half: number): Piece {
  const tint = mixed(body, luck() < 0.5 ? "#ffffff" : "#000000", luck() * 0.1);
  const slip = (): number => (luck() * 2 - 1) * half * 0.05;
  const outer = corners.map(([x, y]): Point => [x * half + slip(), y * half + slip()]);
  const face = outer.map(([x, y]): Point => [x * 0.83, y * 0.83]);
  return {
    tint,
    outer: outline(outer),
    face: outline(face),
    edges: corners.map((_, n) => outline([at(outer, n), at(outer, n + 1), at(face, n + 1), at(face, n)])),
    streak: streak(face, luck),
    ripples: ripples(half * 0.8, luck),
  };
}

const corners: readonly Point[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];

function at(points: readonly Point[], n: number): Point {
  return points[n % points.length] ?? [0, 0];
}

/** A slanting stripe of light across the upper left of a face. */
function streak(face: readonly Point[], luck: () => number): string {
  const [near, far] = [0.08 + luck() * 0.2, 0.48 + luck() * 0.24];
  const [top, side] = [at(face, 1), at(face, 3)];
  const from = at(face, 0);
  return outline([
    between(from, top, near),
    between(from, top, far),
    between(from, side, far),
    between(from, side, near),
  ]);
}

function between(start: Point, end: Point, share: number): Point {
  return [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share];
}

function ripples(reach: number, luck: () => number): string {
  const wave = (level: number): string => {
    const [left, right, bend] = [level + luck() * 8, level - luck() * 12, luck() * 14 - 7];
    return `M${short(-reach)} ${short(left)}Q0 ${short(level + bend)} ${short(reach)} ${short(right)}`;
  };
  return [-reach * 0.45, reach * 0.3, reach * 0.72].map(wave).join("");
}

/** Numbers from 0 to 1 that look like luck and are the same for the same seed. */
export function luckOf(seed: string): () => number {
  let state = [...seed].reduce((sum, sign) => Math.imul(sum ^ sign.charCodeAt(0), 0x01000193), 0x811c9dc5);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const once = Math.imul(state ^ (state >>> 15), 1 | state);
    const twice = (once + Math.imul(once ^ (once >>> 7), 61 | once)) ^ once;
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
}
