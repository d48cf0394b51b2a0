"""A move of a seat: what has to be true for it, and the entries it becomes, under seal where that is its way."""

from __future__ import annotations

from smalti.engine.errors import BadInput, shown
from smalti.server.game_time import now
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.table.clocks import check_time
from smalti.server.table.entries import GATHERING, Entry
from smalti.server.table.history import is_secret
from smalti.server.table.kinds import Play, Seal
from smalti.server.table.log import Log


def check_may_move(log: Log, seat: int, number: int) -> None:
    """Refuse a move that comes at the wrong time: it answers the state of a number."""
    if log.stage == GATHERING:
        raise Problem("turn")
    if log.ended:
        raise Problem("over")
    if number < log.asked[seat]:
        raise Problem("stale")
    check_time(log.clocks, seat, now())
    check_not_final(log, seat)


def check_not_final(log: Log, seat: int) -> None:
    """Refuse to change what a bot has decided for a seat; everybody has been told its seal."""
    if seat in log.sealed and seat not in log.match.acting and log.happened[log.sealed[seat]].final:
        raise Problem("turn")


def decision_entries(log: Log, seat: int, moves: list[str], nonce: str | None, message: str | None) -> list[Entry]:
    """Let a seat make the moves of one decision."""
    try:
        return [made for move in moves for made in move_entries(log, seat, move, nonce, message)]
    except BadInput as error:
        raise Problem("notation", do=shown(" ".join(moves))) from error


def move_entries(log: Log, seat: int, do: str, nonce: str | None, message: str | None) -> list[Entry]:
    """Let a seat make a move, under seal where that is its way."""
    return [*seal_entries(log, seat, do, nonce), append(log, Play(do), seat, message)]


def seal_entries(log: Log, seat: int, do: str, nonce: str | None) -> list[Entry]:
    """Note what a page adds to the seal of its decision, if it is made under seal."""
    if nonce is None or not log.facts.terms.fair:
        return []
    is_sealed = seat in log.sealed or is_secret(log.match, seat, do)
    return [append(log, Seal(nonce), seat)] if is_sealed else []
