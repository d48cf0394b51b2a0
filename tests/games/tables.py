"""What the rule tests of all games share: matches from a log or from a drawn table, and refusals as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

import smalti
from smalti import Event, Game, Item, Match, Refused


class Refusal(NamedTuple):
    """Something that must be refused: the reason's key, the rule, the match it happens in, who and what."""

    key: str
    rule: str
    match: Callable[[], Match]
    by: int | None
    do: str


def match_at(game: Game, table: Any) -> Match:
    """Return a match that goes on from this table."""
    return Match(game, int(table.seats) if len(game.seats) > 1 else game.seats[0]).at(table)


def events_of(log: str) -> list[Event]:
    """Read a log: a line for each event, the seat (a dash for chance) before it."""
    words = [line.split(maxsplit=1) for line in log.strip().splitlines()]
    return [Event(None if by == "-" else int(by), do) for by, do in words]


def play_log(match: Match, log: str) -> Match:
    """Play all events of a log and return the match."""
    for event in events_of(log):
        match.play(*event)
    return match


def played(game: str, seats: int, log: str, options: Mapping[str, str] | None = None) -> Match:
    """Return the match that a log leads to."""
    return play_log(Match(smalti.games.find(game), seats, options), log)


def tidy(drawing: str) -> list[str]:
    """Return the lines of a drawing without what only aligns them."""
    return [" ".join(line.split()) for line in drawing.strip().splitlines()]


def refusal_of(match: Match, by: int | None, do: str) -> Refused:
    """Return why this is refused, and see that it left no trace."""
    before, events = match.copy(), list(match.events)
    with pytest.raises(Refused) as caught:
        match.play(by, do)
    assert match == before
    assert match.events == events
    return caught.value


def check_refusal(game: str, refusal: Refusal) -> None:
    """See that this is refused for this reason, by this rule, with a whole sentence."""
    error = refusal_of(refusal.match(), refusal.by, refusal.do)
    assert (error.rule, error.reason) == (refusal.rule, f"{game}.{refusal.key}")
    assert str(error)
    assert not set("{}") & set(str(error))


def scored(items: list[Item], seat: int = 0) -> list[tuple[str, int, str]]:
    """Return a seat's items that count, as (rule, points, cells)."""
    return [(item.rule, item.points, " ".join(item.cells)) for item in items if item.seat == seat and item.points]


def check_sums(match: Match) -> None:
    """See that the items of every seat add up to its score."""
    sums = [sum(item.points for item in match.breakdown() if item.seat == seat) for seat in range(match.seats)]
    assert sums == match.scores
