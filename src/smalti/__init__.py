"""Smalti: three tile-laying board games from one implementation of their rules.

    import random, smalti

    game = smalti.games.find("mosaix")
    match = smalti.Match(game, seats=3)
    luck = random.Random(1)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
        else:
            seat = min(match.acting)
            match.play(seat, luck.choice(match.legal(seat)))
    print(match.scores, match.winners)
    print(smalti.record_of(match).text())

`Match` is where to start. `read` and `verify` take records, `smalti.games` has the games, and for thousands of
tables at once there are the compiled loops of `smalti.engine.loops.playing`.
"""

from smalti import games
from smalti.engine.errors import BadInput, BadNotation, BadRecord, Refused, SmaltiError
from smalti.engine.game import Game, Item
from smalti.engine.match import Event, Match
from smalti.engine.records import Record, record_of
from smalti.engine.records import parse as read

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "BadNotation",
    "BadRecord",
    "Event",
    "Game",
    "Item",
    "Match",
    "Record",
    "Refused",
    "SmaltiError",
    "games",
    "match_of",
    "read",
    "record_of",
    "verify",
]


def match_of(record: Record, events: int | None = None) -> Match:
    """Return the match a record leads to, after all or only so many of its events."""
    from smalti.engine.records import replay

    return replay(record, games.find, events)


def verify(record: Record) -> Match:
    """Replay a record, check every event, the scores and the winners, and return the match; raises what is wrong."""
    from smalti.engine.records import verify as checked

    return checked(record, games.find)
