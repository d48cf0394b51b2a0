"""Patterns: who is stuck, the last flips, the score. (PT-10 to PT-13)"""

from __future__ import annotations

import pytest

from smalti import Match, Refused
from smalti.games.patterns import GAME
from smalti.games.patterns.drawing import read_board
from tests.games.patterns.mandalas import DEAL, mandala, middle
from tests.games.tables import check_sums, match_at, played, scored

# Seat 1 has opened black, has black in its bowl, and nothing lies beside its group.
LAST_FLIPS = """
    K1* . . o
    . . . o
    . . . O0*
    . . o .
    river 0: O
    river 1: K
    bowl 0: S
    bowl 1: K
"""


def test_the_three_action_game() -> None:
    """The shortest game known."""
    match = played("patterns", 2, f"{DEAL}\n1 give G\n0 open a5\n1 open g7\n0 open f6")
    assert match.acting == {0}
    assert match.legal(0) == ["flip a4", "flip a6", "done"]
    match.play(0, "flip a4")
    match.play(0, "flip a6")
    assert match.is_over
    assert (match.scores, match.winners) == ([2, 0], [0])
    assert scored(match.breakdown()) == [("PT-12", 2, "a4 a5 a6")]


def test_when_one_seat_is_stuck_the_other_may_only_flip() -> None:
    """PT-10, PT-11."""
    match = middle(LAST_FLIPS)
    match.play(0, "flip f4")
    assert match.acting == {0}
    assert match.legal(0) == ["flip f3", "done"]


def test_the_game_ends_by_itself_with_the_last_flip() -> None:
    """PT-11."""
    match = middle(LAST_FLIPS)
    match.play(0, "flip f4")
    match.play(0, "flip f3")
    assert match.is_over
    assert match.scores == [2, 0]


def test_the_last_flips_may_be_left_undone() -> None:
    """PT-11."""
    match = middle(LAST_FLIPS)
    match.play(0, "flip f4")
    match.play(0, "done")
    assert match.is_over
    assert match.scores == [1, 0]


def test_without_a_tile_to_flip_the_game_is_over_at_once() -> None:
    """PT-10, PT-11."""
    match = middle(LAST_FLIPS.replace("K1* . . o", "K1* . . ."))
    match.play(0, "flip f4")
    assert match.is_over


def test_the_order_of_the_last_flips_does_not_matter() -> None:
    """PT-11."""
    ends = []
    for order in (("flip a4", "flip a6"), ("flip a6", "flip a4")):
        match = played("patterns", 2, f"{DEAL}\n1 give G\n0 open a5\n1 open g7\n0 open f6")
        for flip in order:
            match.play(0, flip)
        ends.append(match)
    assert ends[0] == ends[1]


def test_a_seat_that_can_only_swap_is_not_stuck() -> None:
    """PT-10."""
    match = middle(LAST_FLIPS.replace("K1* . . o", "K1* s . ."))
    match.play(0, "flip f4")
    assert match.legal(1) == ["swap d3"]


SIX_GROUPS = """
        K0* K0 K0 .
      . O0* O0 . . .
    . G0* G0 G0 G0 . . .
    . . . L0* . . . .
    . . . . D0* D0 D0 .
    . . . S0* S0 k . .
      . . . . . .
        . . K1* k
    river 0: K O G L D S
    river 1: K
    bowl 0: S
    bowl 1: K
"""


def test_a_group_counts_its_marker_for_every_tile_but_the_marked_one() -> None:
    """PT-12."""
    match = mandala(SIX_GROUPS)
    assert [(item.rule, item.points, " ".join(item.cells)) for item in match.breakdown()] == [
        ("PT-12", 2, "c1 d1 e1"),
        ("PT-12", 2, "c2 d2"),
        ("PT-12", 9, "b3 c3 d3 e3"),
        ("PT-12", 0, "d4"),
        ("PT-12", 10, "e5 f5 g5"),
        ("PT-12", 6, "d6 e6"),
        ("PT-12", 0, "e8"),
    ]
    assert match.scores == [29, 0]
    check_sums(match)


def test_the_sixth_group_grows_from_6_to_12_by_a_swap() -> None:
    """PT-12."""
    match = mandala(SIX_GROUPS)
    match.play(0, "swap f6")
    assert match.breakdown()[5].points == 12
    assert match.scores == [35, 0]


@pytest.mark.parametrize("bowl", "KOGLDS")
def test_exchange_tiles_count_nothing(bowl: str) -> None:
    """PT-12."""
    assert mandala(SIX_GROUPS.replace("bowl 0: S", f"bowl 0: {bowl}")).scores == [29, 0]


# Scores, winners, and the end of the mandala: the other rows have no tiles.
RESULTS = {
    "more points win": (
        [2, 1],
        [0],
        """
          K0* K0 . K1* K1 .
            K0 . . .
        river 0: K
        river 1: K
        """,
    ),
    "a later marker counts more": (
        [1, 2],
        [1],
        """
          K0* K0 . O1* O1 .
            . . S1* .
        river 0: K
        river 1: S O
        """,
    ),
    "a tie is a tie": (
        [1, 1],
        [0, 1],
        """
          K0* K0 . O1* O1 .
            . . S1* .
        river 0: K
        river 1: O S
        """,
    ),
}
UPPER_ROWS = "\n".join(" ".join("." * width) for width in (4, 6, 8, 8, 8, 8))


@pytest.mark.parametrize(("scores", "winners", "drawing"), RESULTS.values(), ids=RESULTS)
def test_the_result(scores: list[int], winners: list[int], drawing: str) -> None:
    """PT-13."""
    match = finished(UPPER_ROWS + drawing)
    assert (match.scores, match.winners) == (scores, winners)


def finished(drawing: str) -> Match:
    """Return a match that is over, with this mandala."""
    return match_at(GAME, read_board(drawing)[0])


def test_a_drawing_with_groups_that_touch_is_refused() -> None:
    """PT-8."""
    with pytest.raises(Refused) as caught:
        finished(UPPER_ROWS + RESULTS["more points win"][2].replace("K0 . K1*", "K0 K1 K1*"))
    assert (caught.value.rule, caught.value.reason) == ("PT-8", "patterns.touches-opponent")
