"""Patterns: what open, flip and swap change. (PT-4, PT-5, PT-6, PT-9)

Drawings show c3 to f6: k is a black front, K0 a black back of seat 0, K0* has the marker.
"""

from __future__ import annotations

import pytest

from tests.games.patterns.mandalas import drawn_middle, middle
from tests.games.tables import tidy

# Name, before, action, after.
EFFECTS = {
    "PT-4 opening puts the exchange tile back up, with the lowest marker, and takes the tile that lay there": (
        """
        . . . .
        . k g .
        . . . .
        . . . .
        river 0:
        river 1:
        bowl 0: O
        bowl 1: S
        """,
        "open d4",
        """
        . . . .
        . O0* g .
        . . . .
        . . . .
        river 0: O
        river 1:
        bowl 0: K
        bowl 1: S
        """,
    ),
    "PT-4 the second group gets the second marker, and needs to touch nothing": (
        """
        O0* . . g
        . . . .
        . . . .
        . . . l
        river 0: O
        river 1:
        bowl 0: K
        bowl 1: S
        """,
        "open f6",
        """
        O0* . . g
        . . . .
        . . . .
        . . . K0*
        river 0: O K
        river 1:
        bowl 0: L
        bowl 1: S
        """,
    ),
    "PT-5 flipping turns a tile over where it lies, and leaves the bowl alone": (
        """
        . . . .
        . K0* k .
        . . . .
        . . . s
        river 0: K
        river 1:
        bowl 0: O
        bowl 1: S
        """,
        "flip e4",
        """
        . . . .
        . K0* K0 .
        . . . .
        . . . s
        river 0: K
        river 1:
        bowl 0: O
        bowl 1: S
        """,
    ),
    "PT-6 swapping puts the exchange tile beside its group, and takes the tile that lay there": (
        """
        . . . .
        . K0* o .
        . . . .
        . . . s
        river 0: K
        river 1:
        bowl 0: K
        bowl 1: S
        """,
        "swap e4",
        """
        . . . .
        . K0* K0 .
        . . . .
        . . . s
        river 0: K
        river 1:
        bowl 0: O
        bowl 1: S
        """,
    ),
    "PT-9 opening onto a tile of the same colour keeps the colour in the bowl": (
        """
        . . . .
        . k g .
        . . . .
        . . . .
        river 0:
        river 1:
        bowl 0: K
        bowl 1: S
        """,
        "open d4",
        """
        . . . .
        . K0* g .
        . . . .
        . . . .
        river 0: K
        river 1:
        bowl 0: K
        bowl 1: S
        """,
    ),
    "PT-9 groups of one seat may touch": (
        """
        . . . .
        . K0* o .
        . . . .
        . . . s
        river 0: K
        river 1:
        bowl 0: G
        bowl 1: S
        """,
        "open e4",
        """
        . . . .
        . K0* G0* .
        . . . .
        . . . s
        river 0: K G
        river 1:
        bowl 0: O
        bowl 1: S
        """,
    ),
}


@pytest.mark.parametrize(("before", "action", "after"), EFFECTS.values(), ids=EFFECTS)
def test_an_action_changes_this_and_nothing_else(before: str, action: str, after: str) -> None:
    match = middle(before)
    match.play(0, action)
    assert drawn_middle(match) == tidy(after)
    assert match.acting == {1}
