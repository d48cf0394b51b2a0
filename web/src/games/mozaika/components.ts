// Written by tools/components.py from smalti.games.mozaika.components. Do not edit.
export const components = {
  "side": 4,
  "rounds": 16,
  "hand": 4,
  "colours": {"R": "red", "B": "blue", "Y": "ochre"},
  "symbols": {"1": "round", "2": "triangle", "3": "square", "4": "star"},
} as const;
