/** The faces of the bots: animals cut from pieces of glass, on a plate of 64 × 64. */

export interface Piece {
  /** A path. */
  readonly d: string;
  readonly fill: string;
}

const INK = "#22242f";
const WHITE = "#fbf8f0";

function disc(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function oval(x: number, y: number, rx: number, ry: number): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;
}

/** A ring of so many points, for spines and manes. */
function star(x: number, y: number, points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: 2 * points }, (_, corner) => {
    const [angle, r] = [(Math.PI * corner) / points, corner % 2 ? inner : outer];
    return `${(x + r * Math.sin(angle)).toFixed(1)} ${(y - r * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${corners.join("L")}z`;
}

const eyes = (left: number, right: number, y: number, r = 2.6): Piece[] => [
  { d: disc(left, y, r), fill: INK },
  { d: disc(right, y, r), fill: INK },
];

/** The face of a bot that is no animal. */
export const machine: readonly Piece[] = [
  { d: "M30 6h4v10h-4z", fill: "#7d8597" },
  { d: disc(32, 8, 4), fill: "#c4504a" },
  { d: "M12 16h40v36H12z", fill: "#9aa6b8" },
  { d: "M20 42h24v4H20z", fill: INK },
  ...eyes(23, 41, 30, 4.5),
];

export const faces: Readonly<Record<string, readonly Piece[]>> = {
  // A snail
  "level-1": [
    { d: "M10 50h36c6 0 9-5 9-11V27h-7v11c0 3-2 4-4 4H22c-7 0-12 3-12 8z", fill: "#d9a066" },
    { d: disc(29, 32, 16), fill: "#c4504a" },
    { d: disc(30, 33, 11), fill: "#e88b6f" },
    { d: disc(31, 34, 6.5), fill: "#c4504a" },
    { d: disc(32, 34, 2.6), fill: "#f6d5a8" },
    { d: "M48 28l-3-11h2.6l3.4 10zM54 28l3-11h-2.6l-3.4 10z", fill: "#d9a066" },
    ...eyes(46, 56, 16),
  ],
  // A sparrow
  "level-2": [
    { d: oval(32, 36, 21, 20), fill: "#d8c8a8" },
    { d: "M11 33c0-13 9-21 21-21s21 8 21 21c-4-7-9-9-13-8-3 1-5 3-8 3s-5-2-8-3c-4-1-9 1-13 8z", fill: "#8a5a36" },
    { d: "M25 43h14l-2 11c-2 2-8 2-10 0z", fill: "#3d3a40" },
    { d: disc(17, 39, 5), fill: WHITE },
    { d: disc(47, 39, 5), fill: WHITE },
    { d: "M26 36h12l-6 9z", fill: "#e2a92c" },
    ...eyes(23, 41, 31),
  ],
  // A hedgehog
  "level-3": [
    { d: star(32, 31, 16, 26, 19), fill: "#6d5a4b" },
    { d: star(32, 31, 16, 21, 15.5), fill: "#8f7862" },
    { d: "M14 40c4-10 12-14 18-14s14 4 18 14c-3 9-10 15-18 15s-15-6-18-15z", fill: "#e9d3ae" },
    { d: oval(32, 49, 5, 3.6), fill: INK },
    ...eyes(24, 40, 39),
  ],
  // A hare
  "level-4": [
    { d: "M22 32C15 22 14 8 19 5c6-2 10 12 10 25z", fill: "#b78e63" },
    { d: "M42 32c7-10 8-24 3-27-6-2-10 12-10 25z", fill: "#b78e63" },
    { d: "M22 27c-3-7-3-15-1-17 3 0 5 9 5 17zM42 27c3-7 3-15 1-17-3 0-5 9-5 17z", fill: "#f0c3b2" },
    { d: oval(32, 42, 17, 16), fill: "#cfa677" },
    { d: oval(32, 49, 8, 6.5), fill: WHITE },
    { d: "M29 44h6l-3 4z", fill: "#c4504a" },
    ...eyes(25, 39, 38),
  ],
  // A fox
  "level-5": [
    { d: "M8 10l16 10h16l16-10-3 24-21 22-21-22z", fill: "#dd7a32" },
    { d: "M8 10l16 10-13 8zM56 10L40 20l13 8z", fill: "#8f4420" },
    { d: "M11 32l14 6 7 18-21-22zM53 32l-14 6-7 18 21-22z", fill: WHITE },
    { d: "M28 49h8l-4 7z", fill: INK },
    ...eyes(24, 40, 33),
  ],
  // A heron
  "level-6": [
    { d: "M14 58c-2-12 10-16 14-22 3-5 0-9-4-10l6-12c12 3 15 14 9 24-5 8-11 10-11 20z", fill: "#8fa3b8" },
    { d: "M20 20c2-8 12-11 19-7 4 2 5 5 5 8l-14 7c-6 0-10-3-10-8z", fill: "#c9d6e3" },
    { d: "M42 15l18 8-17 3z", fill: "#e2a92c" },
    { d: "M30 12C22 8 14 8 7 13c7-1 13 1 17 5z", fill: INK },
    { d: disc(37, 18, 2.4), fill: INK },
  ],
  // An owl
  "level-7": [
    { d: "M10 8l12 8c6-3 14-3 20 0l12-8-2 20c3 14-6 29-20 29S9 42 12 28z", fill: "#7a5c86" },
    { d: "M16 44c4 8 9 11 16 11s12-3 16-11c-4 4-10 6-16 6s-12-2-16-6z", fill: "#c7aed0" },
    { d: disc(22, 29, 10.5), fill: "#f6e7b8" },
    { d: disc(42, 29, 10.5), fill: "#f6e7b8" },
    { d: disc(22, 29, 5.5), fill: INK },
    { d: disc(42, 29, 5.5), fill: INK },
    { d: disc(24, 27, 1.8), fill: WHITE },
    { d: disc(44, 27, 1.8), fill: WHITE },
    { d: "M28 36h8l-4 9z", fill: "#e2a92c" },
  ],
  // A lion
  "level-8": [
    { d: star(32, 32, 18, 28, 23), fill: "#9c4a1f" },
    { d: star(32, 32, 18, 24, 19.5), fill: "#c96f2a" },
    { d: disc(19, 20, 5), fill: "#e8b45c" },
    { d: disc(45, 20, 5), fill: "#e8b45c" },
    { d: oval(32, 34, 16, 17), fill: "#f0c674" },
    { d: oval(32, 43, 9, 7), fill: WHITE },
    { d: "M27 37h10l-5 6z", fill: "#7a3b22" },
    { d: "M31 42h2v6h-2z", fill: "#7a3b22" },
    ...eyes(25, 39, 31),
  ],
};
