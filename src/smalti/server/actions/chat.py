"""Words at the table: the players talk to each other, the onlookers among themselves.

Neither hears the other, and nobody can tell by any number that something was said elsewhere. The host can silence an
onlooker and take words away, without hearing more than anybody else.
"""

from __future__ import annotations

from math import ceil

import msgspec

from smalti.server.actions.names import check_free, names_at
from smalti.server.actions.tables import check_host
from smalti.server.actions.text_input import checked_name, checked_words
from smalti.server.game_time import now
from smalti.server.keys import link_key
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.table import kinds
from smalti.server.table.chat import EVERYBODY, Said, Side
from smalti.server.table.entries import Entry, Facts
from smalti.server.table.log import Log
from smalti.server.wire.from_page import Say
from smalti.server.wire.http import Clear, Silence


async def say(room: Room, wish: Say, holder: str | None, address: str) -> None:
    """Let somebody say something; all onlookers of an address share an allowance, so that nobody speaks for all."""
    said = checked_words_of(wish)

    def decide(log: Log) -> list[Entry]:
        check_speaker(log, wish.seat, holder)
        side, speaker = log.chat(wish.seat is not None), speaker_of(log.facts, wish.seat, holder)
        if side.has_said(speaker, wish.id):
            return []  # sent twice
        if wish.seat is not None:
            check_pace(side, speaker)
            return [append(log, said, wish.seat, wish.id)]
        check_onlooker(log, side, speaker, said.name or "")
        check_pace(side, speaker)
        room.rooms.voices.spend(f"{log.facts.id} {address}")
        return [append(log, msgspec.structs.replace(said, by=speaker), None, wish.id)]

    await room.happen(decide)


def checked_words_of(wish: Say) -> kinds.Say:
    """Return what is kept of something said: a phrase or a text, and the name of an onlooker."""
    text = None if wish.phrase else checked_words(wish.text)
    return kinds.Say(text, wish.phrase, None if wish.seat is not None else checked_name(wish.name))


def speaker_of(facts: Facts, seat: int | None, holder: str | None) -> str:
    """Return by what a speaker is known at this table and nowhere else; browsers without a secret are one."""
    return f"seat {seat}" if seat is not None else link_key(facts.key, f"speaker {holder or ''}")[:12]


def check_speaker(log: Log, seat: int | None, holder: str | None) -> None:
    """Refuse to speak for somebody else, and to whisper among onlookers while one has a seat."""
    mine = log.held_by(holder)
    if seat not in mine if seat is not None else bool(mine):
        raise Problem("not-yours")


def check_onlooker(log: Log, side: Side, speaker: str, name: str) -> None:
    """Refuse an onlooker whom the host has silenced, or who speaks under the name of somebody else at the table."""
    if speaker in side.silenced or EVERYBODY in side.silenced:
        raise Problem("silenced")
    check_free(name, [*names_at(log), *(one for by, one in side.names.items() if by != speaker)])


def check_pace(side: Side, speaker: str) -> None:
    """Refuse whoever says too much, and for a while everybody where all together do."""
    wait = side.wait(speaker, now())
    if wait > 0:
        raise Problem("many", seconds=ceil(wait))


# --- What the host may do about it


async def silence(room: Room, wish: Silence, holder: str | None) -> None:
    """Let the host silence an onlooker, or all of them, or let them speak again."""

    def decide(log: Log) -> list[Entry]:
        check_host(log, holder)
        side = log.chat(seated=False)
        if wish.speaker not in side.names and wish.speaker != EVERYBODY:
            raise Problem("stale")
        if (wish.speaker in side.silenced) == wish.silenced:
            return []
        return [append(log, kinds.Silence(by=wish.speaker, silenced=wish.silenced))]

    await room.happen(decide, holder)


async def clear(room: Room, wish: Clear, holder: str | None) -> None:
    """Let the host take away what was said, all of it or one thing."""

    def decide(log: Log) -> list[Entry]:
        check_host(log, holder)
        side = log.chat(seated=not wish.onlookers)
        if wish.n is not None and not 0 < wish.n <= side.count:
            raise Problem("event", last=side.count)
        if all(said.cleared for said in named_by(side, wish.n)):
            return []
        return [append(log, kinds.Clear(onlookers=wish.onlookers, n=wish.n))]

    await room.happen(decide, holder)


def named_by(side: Side, number: int | None) -> list[Said]:
    """List the words of this number, or all, as far as they are still told to anybody."""
    return [said for place, said in enumerate(side.words, side.forgotten + 1) if number in (None, place)]


# --- What is told


class Hearing:
    """What a page has heard, of the one side that it may hear."""

    def __init__(self) -> None:
        self.count = self.clearings = 0

    def start(self, side: Side, count: int) -> None:
        """Hear what comes after so many words; everything anew if some of those may be gone."""
        self.count = count if 0 <= count <= side.count and not side.clearings else 0
        self.clearings = side.clearings

    def news(self, side: Side) -> int | None:
        """Return after which word to tell, 0 for all anew if something was taken away; None if there is nothing new."""
        since = self.count if self.clearings == side.clearings else 0
        self.count, self.clearings = side.count, side.clearings
        return since if max(since, side.forgotten) < side.count else None
