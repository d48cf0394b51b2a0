"""Decisions under seal, such as bids: a seat may change one as long as nobody else can see any difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smalti.engine.errors import BadInput

if TYPE_CHECKING:
    from smalti.engine.match import Event, Match


def with_other_choice(match: Match, seat: int, event: str) -> Match:
    """Return a match in which a seat's last event, which must still be sealed, is replaced by another."""
    changed, later = match.copy(), []
    while changed.events and changed.events[-1].by != seat:
        later.append(changed.undo())
    if not changed.events or not is_sealed(match, changed, later):
        raise BadInput(f"seat {seat} has done nothing that can still be changed")
    changed.undo()
    changed.play(seat, event)
    for other in reversed(later):
        changed.play(*other)
    return changed


def is_sealed(match: Match, acted: Match, later: list[Event]) -> bool:
    """Say whether the last event of `acted` makes no difference to anybody else after what came later (newest first).

    The first and the last of the seat's moves stand for all of them.
    """
    seat = acted.events[-1].by
    assert seat is not None
    before = acted.copy()
    before.undo()
    for move in (before.legal_moves(seat)[0], before.legal_moves(seat)[-1]):
        other = before.copy()
        other.play(seat, move)
        if not all(other.is_legal(*event) and other.play(*event) for event in reversed(later)):
            return False
        if match.tells(other, seat):
            return False
    return True
