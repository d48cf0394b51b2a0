"""Open tables, games to watch, and quick match."""
