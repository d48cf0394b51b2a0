// Written by tools/components.py from smalti.engine. Do not edit.
export const components = {
  "columns": ["a", "b", "c", "d", "e", "f", "g", "h"],
  "palette": {
    "black": {"body": "#474b5e", "inlay": "#d5daee"},
    "orange": {"body": "#e0702a", "inlay": "#ffe3c2"},
    "green": {"body": "#2f9560", "inlay": "#d3f7dc"},
    "light-blue": {"body": "#5fb4dc", "inlay": "#0f4468"},
    "dark-blue": {"body": "#2f56b8", "inlay": "#d3e0ff"},
    "sand": {"body": "#dcc391", "inlay": "#6b4a1c"},
    "teal": {"body": "#1f9a9a", "inlay": "#d2fbf3"},
    "plum": {"body": "#8d4396", "inlay": "#f6d9f7"},
    "red": {"body": "#c03a41", "inlay": "#ffdcd2"},
    "blue": {"body": "#2f5fbd", "inlay": "#d3e4ff"},
    "ochre": {"body": "#dda22f", "inlay": "#5c3a08"},
  },
  "bed": "#22242f",
  "metals": {
    "gold": ["#ffdf85", "#e2a92c", "#ffd560"],
    "silver": ["#f4f7fc", "#a9b5cb", "#e3e9f4"],
    "copper": ["#ffc9a6", "#b96a3d", "#f0a679"],
    "verdigris": ["#c9f0de", "#5c9f88", "#9fdcc2"],
  },
  "shapes": {
    "round": "M0 -0.94A0.94 0.94 0 1 1 0 0.94A0.94 0.94 0 1 1 0 -0.94Z",
    "diamond": "M0 -1.15L1.15 0L0 1.15L-1.15 0Z",
    "square": "M0.81 -0.81L0.81 0.81L-0.81 0.81L-0.81 -0.81Z",
    "triangle": "M0 -0.98L1.04 0.82L-1.04 0.82Z",
    "triangle-down": "M0 0.98L-1.04 -0.82L1.04 -0.82Z",
    "star": "M0 -1.12L0.34 -0.39L1.14 -0.29L0.55 0.26L0.71 1.05L0 0.66L-0.71 1.05L-0.55 0.26L-1.14 -0.29L-0.34 -0.39Z",
    "cross": "M0 -0.4L0.58 -0.98L0.98 -0.58L0.4 0L0.98 0.58L0.58 0.98L0 0.4L-0.58 0.98L-0.98 0.58L-0.4 0L-0.98 -0.58L-0.58 -0.98Z",
  },
} as const;
