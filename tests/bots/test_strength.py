"""Stronger bots win: over fixed matches, so that the numbers are the same on every run."""

from __future__ import annotations

import pytest

from tests.bots.matches import points_alone, wins

# Game, seats, stronger, weaker, matches, and how many of them the stronger one wins at least.
LADDER = [
    ("patterns", 2, "greedy", "random", 20, 19),
    ("patterns", 2, "search", "greedy", 10, 9),
    ("mosaix", 2, "greedy", "random", 20, 18),
    ("mosaix", 2, "search", "greedy", 10, 9),
    ("mosaix", 4, "search", "greedy", 8, 6),
    ("mozaika", 3, "greedy", "random", 15, 14),
    ("mozaika", 3, "search", "greedy", 30, 17),
    ("mozaika", 5, "search", "greedy", 20, 9),
]


@pytest.mark.parametrize(("game", "seats", "strong", "weak", "matches", "least"), LADDER)
def test_the_stronger_bot_wins(game: str, seats: int, strong: str, weak: str, matches: int, least: int) -> None:
    assert wins(game, seats, strong, weak, matches) >= least


def test_stronger_bots_have_more_points_alone() -> None:
    assert points_alone("random", 10) + 20 < points_alone("greedy", 10)
    assert points_alone("greedy", 10) + 25 < points_alone("search", 5)
