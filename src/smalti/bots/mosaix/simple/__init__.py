"""Bots of Mosaix that need no weights, and what they value grids by: `bots`, `heuristic`, `hand_tuned`."""
