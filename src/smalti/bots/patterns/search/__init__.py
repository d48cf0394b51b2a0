"""Search in Patterns: principal variation search with a transposition table and iterative deepening."""
