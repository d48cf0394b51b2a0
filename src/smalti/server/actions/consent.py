"""Agreeing: one way for everything that needs the others' consent.

One thing is asked at a time. The persons who sit at the table have to agree, each once for all their seats: not bots,
not the seat that it is about. Whoever is away has not agreed; it waits for them, and lapses after a while. One "no"
ends it, and so does whoever asked. With the last "yes" it happens, in the same write. What can be asked stands in
the `MATTERS` of the modules that know how.
"""

from __future__ import annotations

from smalti.server.actions import pause, seats
from smalti.server.actions.matters import Matter, check_seat
from smalti.server.game_time import now
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.table import kinds
from smalti.server.table.entries import OVER, Entry
from smalti.server.table.log import Log
from smalti.server.wire.from_page import Answer, Ask

DAY = 86_400.0
LIVE = 180.0  # seconds for answers where everybody plays by a live clock
MATTERS: dict[str, Matter] = {**seats.MATTERS, **pause.MATTERS}


async def ask(room: Room, wish: Ask, holder: str | None) -> None:
    """Let a seat ask the others for something."""

    def decide(log: Log) -> list[Entry]:
        check_seat(log, wish.seat, holder)
        if (wish.seat, wish.id) in log.ids:
            return []  # sent twice
        matter = checked_matter(log, wish.what)
        room.rooms.asks.spend(f"{log.facts.id} {holder}")
        entries = [append(log, proposal_of(room, log, wish, matter), wish.seat, wish.id)]
        return entries + taken_effect(log, matter)

    await room.happen(decide, holder)


async def answer(room: Room, wish: Answer, holder: str | None) -> None:
    """Let a person agree or not; whoever asked withdraws. What is not asked any more needs no answer."""

    def decide(log: Log) -> list[Entry]:
        check_seat(log, wish.seat, holder)
        asked = log.proposal
        if asked is None or not asked.is_open or asked.number != wish.n:
            return []
        mine = frozenset(log.held_by(holder))
        if not mine & asked.concerned:
            raise Problem("not-yours")
        voters = mine & asked.needed - asked.agreed
        if wish.yes and not voters:
            return []
        seat = asked.by if asked.by in mine else wish.seat
        if asked.is_overdue(now()) or asked.what not in MATTERS:
            return overdue(log)
        entries = [append(log, kinds.Answer(yes=wish.yes, seats=tuple(sorted(voters))), seat, wish.id)]
        return entries + taken_effect(log, MATTERS[asked.what])

    await room.happen(decide, holder)


async def object_by_coming(room: Room, holder: str | None) -> None:
    """End what is asked about somebody who was away and has come back."""

    def decide(log: Log) -> list[Entry]:
        asked = log.proposal
        if asked is None or not is_asked_about(log, holder):
            return []
        return [append(log, kinds.Answer(yes=False, seats=()), asked.about)]

    if is_asked_about(room.log, holder):
        await room.happen(decide, holder)


def is_asked_about(log: Log, holder: str | None) -> bool:
    """Say whether something is asked about a seat of somebody, be it one that nobody has come for yet."""
    asked = log.proposal
    if asked is None or not asked.is_open or asked.about is None or holder is None:
        return False
    return log.seats[asked.about].voter == holder


def checked_matter(log: Log, what: str) -> Matter:
    """Return what is asked for, if it can be asked for now."""
    if what not in MATTERS:
        raise Problem("matter", known=", ".join(sorted(MATTERS)))
    if log.stage == OVER:
        raise Problem("over")
    if log.proposal is not None and log.proposal.is_open:
        raise Problem("asked")
    return MATTERS[what]


def proposal_of(room: Room, log: Log, wish: Ask, matter: Matter) -> kinds.Ask:
    """Return what is kept of a proposal."""
    values = matter.check(room, log, wish)
    about = values.get("seat")
    return kinds.Ask(
        what=wish.what,
        values=dict(values),
        needed=tuple(needed(log, wish.seat, about if isinstance(about, int) else None)),
        events=len(log.match.events) if matter.is_about_position else None,
        until=round(now() + time_for(log, matter), 3),
    )


def time_for(log: Log, matter: Matter) -> float:
    """Return the seconds that people get to answer: as long as a move may take, and never more than a day."""
    clock = log.facts.terms.clock
    if clock is None or matter.silence_agrees:
        return DAY
    return LIVE if clock.kind == "live" else min(DAY, clock.seconds)


def needed(log: Log, by: int, about: int | None) -> list[int]:
    """List the seats whose people have to agree, whether they are there or not."""
    asker, seats = log.seats[by].holder, enumerate(log.seats)
    return [seat for seat, sitting in seats if seat != about and sitting.voter not in (None, asker)]


def overdue(log: Log) -> list[Entry]:
    """End what is asked when the time for answers is over; where silence agrees, let it happen."""
    asked = log.proposal
    if asked is None or not asked.is_overdue(now()):
        return []
    matter = MATTERS.get(asked.what)  # one from before may not be there any more
    agreed = matter is not None and matter.silence_agrees
    return [append(log, kinds.Lapse(agreed=agreed)), *(taken_effect(log, matter) if matter else [])]


def taken_effect(log: Log, matter: Matter) -> list[Entry]:
    """Let happen what all have agreed on."""
    asked = log.proposal
    return matter.effect(log, asked) if asked and asked.outcome == "agreed" else []
