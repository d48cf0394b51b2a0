"""Loops over whole games, written once and compiled for each game with its rules inlined: playouts, batches, nodes."""
