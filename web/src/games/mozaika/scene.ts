/** A mosaic of Mozaika that grows, for the first page. */
import type { Sketch } from "../look";

export const scene: Sketch = {
  rows: ["aafg", "daff", "kkhj", "kilb"],
  kinds: {
    a: ["red", "round"],
    b: ["red", "triangle"],
    d: ["red", "star"],
    f: ["blue", "triangle"],
    g: ["blue", "square"],
    h: ["blue", "star"],
    i: ["ochre", "round"],
    j: ["ochre", "triangle"],
    k: ["ochre", "square"],
    l: ["ochre", "star"],
  },
  begun: 0.6,
};
