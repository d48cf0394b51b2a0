"""Who plays the other seats: the house, by name, or somebody's own function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.engine.errors import BadInput, shown
from smalti.engine.loops.stepping import GREEDY, OUTSIDE, RANDOM

Opponent = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], int]  # of an observation and its mask: an action
Opponents = str | Opponent | Sequence[str | Opponent]

HOUSE = {"random": RANDOM, "greedy": GREEDY}


def seated(opponents: Opponents, seat: int, seats: int) -> list[str | Opponent | None]:
    """Return who sits where, None in one's own seat; one opponent for all seats, or one for each of the others."""
    one_for_all = isinstance(opponents, str) or callable(opponents)
    others: list[Any] = [opponents] * (seats - 1) if one_for_all else list(opponents)  # type: ignore[arg-type]
    if len(others) != seats - 1:
        raise BadInput(f"there are {seats - 1} opponents at this table, not {len(others)}")
    for other in others:
        check_opponent(other)
    return [*others[:seat], None, *others[seat:]]


def check_opponent(opponent: Any) -> None:
    """Refuse an opponent that is neither known by name nor a function."""
    if opponent not in HOUSE and not callable(opponent):
        known = ", ".join(map(repr, HOUSE))
        raise BadInput(f"an opponent is {known} or a function of observation and mask; not {shown(opponent)}")


def kinds(seating: list[str | Opponent | None]) -> list[int]:
    """Return who plays each seat, as compiled code calls them."""
    return [HOUSE.get(player, OUTSIDE) if isinstance(player, str) else OUTSIDE for player in seating]


def checked_seat(seat: Any, seats: int) -> int:
    """Return a seat if it is at this table."""
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < seats:
        raise BadInput(f"there is no seat {shown(seat)}; the seats are 0 to {seats - 1}")
    return int(seat)
