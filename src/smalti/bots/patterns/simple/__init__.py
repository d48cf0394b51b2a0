"""Bots for Patterns that need no weights: a hand-made evaluation, and alpha-beta search with it."""
