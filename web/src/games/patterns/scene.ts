/** The mandala of Patterns while tiles are turned, for the first page. */
import type { Sketch } from "../look";

export const scene: Sketch = {
  rows: ["..sKKo..", ".gOOKdl.", "lGGOsKDD", "GGkoLLDs", "sKKLLoDg", "DdKOOsGG", ".lSSOkG.", "..SSlg.."],
  kinds: {
    k: ["black", "diamond"],
    o: ["orange", "round"],
    g: ["green", "triangle"],
    l: ["light-blue", "square"],
    d: ["dark-blue", "star"],
    s: ["sand", "triangle-down"],
  },
  begun: 0.35,
};
