/** Settings: the line round cells that hang together, as metal holds stones. */

type Corner = readonly [number, number];

/**
 * The outline round these places (column, row) as one path, for cells of `size`; `inset` keeps it off the neighbours,
 * `radius` rounds its corners. Holes get a line of their own.
 */
export function setting(places: readonly Corner[], size: number, inset: number, radius: number): string {
  const held = new Set(places.map(String));
  const next = edgesOf(places, (column, row) => held.has(String([column, row])));
  const loops: Step[][] = [];
  while (next.size > 0) loops.push(walked(next));
  return loops.map((loop) => rounded(loop, size, inset, radius)).join("");
}

/** One side of a cell, walked with the cell on the right hand. */
interface Step {
  from: Corner;
  to: Corner;
}

function edgesOf(places: readonly Corner[], has: (column: number, row: number) => boolean): Map<string, Step[]> {
  const found = new Map<string, Step[]>();
  const add = (from: Corner, to: Corner): void => {
    found.set(String(from), [...(found.get(String(from)) ?? []), { from, to }]);
  };
  for (const [x, y] of places) {
    if (!has(x, y - 1)) add([x, y], [x + 1, y]);
    if (!has(x + 1, y)) add([x + 1, y], [x + 1, y + 1]);
    if (!has(x, y + 1)) add([x + 1, y + 1], [x, y + 1]);
    if (!has(x - 1, y)) add([x, y + 1], [x, y]);
  }
  return found;
}

function walked(next: Map<string, Step[]>): Step[] {
  const loop: Step[] = [];
  let here = [...next.keys()][0] ?? "";
  for (let step = taken(next, here); step; step = taken(next, here, step)) {
    loop.push(step);
    here = String(step.to);
  }
  return loop;
}

/** Take the step that leaves this corner; where two cells only touch there, the one that stays with its cell. */
function taken(next: Map<string, Step[]>, corner: string, before?: Step): Step | undefined {
  const steps = next.get(corner) ?? [];
  const best = steps.find((step) => before && turnOf(before, step) > 0) ?? steps[0];
  const rest = steps.filter((step) => step !== best);
  if (rest.length > 0) next.set(corner, rest);
  else next.delete(corner);
  return best;
}

function heading({ from, to }: Step): Corner {
  return [to[0] - from[0], to[1] - from[1]];
}

/** 1 for a turn to the right, -1 to the left, 0 straight on. */
function turnOf(before: Step, after: Step): number {
  const [[ax, ay], [bx, by]] = [heading(before), heading(after)];
  return ax * by - ay * bx;
}

function rounded(loop: readonly Step[], size: number, inset: number, radius: number): string {
  const bends = loop.flatMap((step, n) => {
    const before = loop[(n + loop.length - 1) % loop.length] ?? step;
    const side = turnOf(before, step);
    return side === 0 ? [] : [bend(before, step, side, size, inset, radius)];
  });
  return `M${bends.join("L")}Z`;
}

/** A rounded corner: to where it begins, and the arc. */
function bend(before: Step, after: Step, side: number, size: number, inset: number, radius: number): string {
  const [[ax, ay], [bx, by]] = [heading(before), heading(after)];
  // The cell is on the right hand: inwards is to the right of both sides.
  const x = after.from[0] * size + (-ay - by) * inset;
  const y = after.from[1] * size + (ax + bx) * inset;
  const sweep = side > 0 ? 1 : 0;
  const [start, end] = [
    `${String(x - ax * radius)} ${String(y - ay * radius)}`,
    `${String(x + bx * radius)} ${String(y + by * radius)}`,
  ];
  return `${start}A${String(radius)} ${String(radius)} 0 0 ${String(sweep)} ${end}`;
}
