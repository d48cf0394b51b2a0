// Written by tools/components.py from smalti.games.patterns.components. Do not edit.
export const components = {
  "side": 8,
  "rows": [
    ["c1", "d1", "e1", "f1"],
    ["b2", "c2", "d2", "e2", "f2", "g2"],
    ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"],
    ["a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"],
    ["a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5"],
    ["a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6"],
    ["b7", "c7", "d7", "e7", "f7", "g7"],
    ["c8", "d8", "e8", "f8"],
  ],
  "tiles": {
    "K": {"colour": "black", "shape": "diamond"},
    "O": {"colour": "orange", "shape": "round"},
    "G": {"colour": "green", "shape": "triangle"},
    "L": {"colour": "light-blue", "shape": "square"},
    "D": {"colour": "dark-blue", "shape": "star"},
    "S": {"colour": "sand", "shape": "triangle-down"},
  },
} as const;
