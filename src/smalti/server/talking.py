"""Words at the table: the players talk to each other, the onlookers among themselves.

Neither hears the other, and nobody can tell by any number that something was said elsewhere.
"""

from __future__ import annotations

from typing import Any

from smalti.server.entries import Entry, Said
from smalti.server.log import Log
from smalti.server.messages import Say, Talk, Words
from smalti.server.problems import Problem
from smalti.server.rooms import Room, entry
from smalti.server.timing import now
from smalti.server.typed import checked_name, checked_words

MOST_WORDS = 500  # that are kept of a table, on either side
BREATH, BREATHLESS = 20.0, 8  # so many seconds, in which so many things can be said by one


async def say(room: Room, wish: Say, holder: str | None) -> None:
    """Let somebody say something."""
    body = checked_body(wish)

    def decide(log: Log) -> list[Entry]:
        check_speaker(log, wish.seat, holder)
        spoken = log.talk(wish.seat is not None)
        if any(said.id == wish.id and said.seat == wish.seat for said in spoken):
            return []  # sent twice
        check_breath(spoken, wish)
        return [entry(log, "say", wish.seat, body, wish.id)]

    await room.happen(decide)


def checked_body(wish: Say) -> dict[str, Any]:
    """Return what is kept of something said: a phrase or a text, and the name of an onlooker."""
    body: dict[str, Any] = {"phrase": wish.phrase} if wish.phrase else {"text": checked_words(wish.text)}
    return body if wish.seat is not None else {**body, "name": checked_name(wish.name)}


def check_speaker(log: Log, seat: int | None, holder: str | None) -> None:
    """Refuse to speak for somebody else, and to whisper among onlookers while one has a seat."""
    mine = log.held_by(holder)
    if seat not in mine if seat is not None else bool(mine):
        raise Problem("not-yours")


def check_breath(spoken: list[Said], wish: Say) -> None:
    """Refuse whoever says too much, or at a table where enough was said."""
    if len(spoken) >= MOST_WORDS:
        raise Problem("quiet")
    since = now() - BREATH
    own = [said for said in spoken if said.seat == wish.seat and said.at > since]
    if len(own) >= BREATHLESS:
        raise Problem("many")


def talk_after(log: Log, seated: bool, number: int) -> Talk:
    """Tell what the seated, or the onlookers, have said after a number."""
    spoken = log.talk(seated)[number:]
    return Talk(number, [words(number + place, said) for place, said in enumerate(spoken, 1)])


def words(number: int, said: Said) -> Words:
    """Describe one thing that was said."""
    return Words(number, said.at, said.id, said.seat, said.name, said.text, said.phrase)
