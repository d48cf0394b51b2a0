/** How large a picture is, and where boards go in it. */
export const WIDTH = 1200;
export const HEIGHT = 630;

const GAP = 26;

/** A square of a picture. */
export interface Square {
  x: number;
  y: number;
  side: number;
}

/** Boards, and where a strip of other things has its middle: below them, lying, or beside them, standing. */
export interface Arrangement {
  squares: readonly Square[];
  strip: { x: number; y: number; stands: boolean };
}

/** Squares in rows, as large as they can be; each needs `below` of its side more room under it. */
function inRows(count: number, rows: number, width: number, height: number, below: number): Square[] {
  const across = Math.ceil(count / rows);
  const side = Math.min((width - GAP * (across + 1)) / across, (height - GAP * (rows + 1)) / rows / (1 + below));
  const step = side * (1 + below) + GAP;
  const top = (height - rows * step + GAP) / 2;
  return Array.from({ length: count }, (_, n) => {
    const row = Math.floor(n / across);
    const here = Math.min(across, count - row * across);
    const left = (width - here * (side + GAP) + GAP) / 2;
    return { x: left + (n - row * across) * (side + GAP), y: top + row * step, side };
  });
}

function sideOf([first]: readonly Square[]): number {
  return first?.side ?? 0;
}

/** The larger ones; the first where they are equal. */
function larger(one: readonly Square[], other: readonly Square[]): readonly Square[] {
  return sideOf(other) > sideOf(one) ? other : one;
}

/** Arrange boards and a strip of this breadth so that the boards are as large as can be. */
export function arranged(count: number, breadth: number, below = 0): Arrangement {
  const fitted = (width: number, height: number): readonly Square[] =>
    larger(inRows(count, 1, width, height, below), inRows(count, 2, width, height, below));
  const [lying, standing] = [fitted(WIDTH, HEIGHT - breadth), fitted(WIDTH - breadth, HEIGHT)];
  if (sideOf(standing) > sideOf(lying))
    return { squares: standing, strip: { x: WIDTH - breadth / 2 - GAP / 2, y: HEIGHT / 2, stands: true } };
  return { squares: lying, strip: { x: WIDTH / 2, y: HEIGHT - breadth / 2 - GAP / 2, stands: false } };
}
