/** A grid of Mosaix that fills, for the first page. */
import type { Sketch } from "../look";

export const scene: Sketch = {
  rows: ["oooooox", "xxxootx", "xoxtttx", "oooo.tx", "ottttox", "ttoxxoo", "xxxxxtx"],
  kinds: { o: ["teal", "round"], t: ["orange", "triangle"], x: ["plum", "cross"] },
  begun: 0.55,
};
