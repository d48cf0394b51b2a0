"""What people do beside the game: take a step back, give up, go, take their seat again, take over as host.

Each becomes entries of the log, through the same door as everything; what needs the others goes through `consent`.
"""

from __future__ import annotations

from collections.abc import Callable

from smalti import bots
from smalti.server.actions.matters import Matter, Values, check_seat
from smalti.server.actions.names import free_name, names_at
from smalti.server.actions.tables import checked_bot
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.table.clocks import check_not_paused
from smalti.server.table.entries import GATHERING, OVER, PLAYING, Entry
from smalti.server.table.kinds import Back, End, Host, Leave, Lend, Name, Resign, Return
from smalti.server.table.log import Log
from smalti.server.table.proposals import Proposal
from smalti.server.table.takebacks import asked_target, free_target
from smalti.server.wire.from_page import Ask, Want


async def want(room: Room, wish: Want, holder: str | None) -> None:
    """Let a person do something beside the game."""

    def decide(log: Log) -> list[Entry]:
        if (wish.seat, wish.id) in log.ids:
            return []  # sent twice
        if log.stage == OVER:
            raise Problem("over")
        return WANTS[wish.what](room, log, wish, holder)

    await room.happen(decide, holder)


# --- Going back


def take_back(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Take a seat's last step back, if nobody has learned anything from it."""
    check_seat(log, wish.seat, holder)
    check_not_paused(log.clocks)
    if log.happened and wish.n < log.happened[-1].number:
        raise Problem("stale")
    target = free_target(log, wish.seat)
    if target is None:
        raise Problem("back")
    return [append(log, Back(to=target), wish.seat, wish.id)]


def check_back(room: Room, log: Log, wish: Ask) -> Values:
    """Find out how far a seat wants to go back."""
    check_not_paused(log.clocks)
    target = asked_target(log, wish.seat)
    if target is None:
        raise Problem("back")
    return {"to": target}


def go_back(log: Log, asked: Proposal) -> list[Entry]:
    """Go back as far as was agreed."""
    return [append(log, Back(int(asked.values["to"] or 0)), asked.by)]


# --- Giving up and going


def resign(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Let a person give up with a seat."""
    check_seat(log, wish.seat, holder)
    check_playing(log)
    if log.seats[wish.seat].owner:  # who only stands in cannot give up for somebody else
        raise Problem("not-yours")
    return resignation(log, wish.seat, wish.id)


def resignation(log: Log, seat: int, message: str | None = None) -> list[Entry]:
    """Let a seat give up: a bot plays on for it, unless nobody is left to play with, or no person."""
    left = [other for other in range(log.facts.seats) if other != seat and other not in log.resigned]
    goes_on = len(left) > 1 and any(log.seats[other].kind != "bot" or log.seats[other].owner for other in left)
    bot = stand_in(log) if goes_on else None
    return [append(log, Resign(bot=bot), seat, message)]


def leave(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Let a person go: before the game the seat is free again, in it a bot plays on; the last one ends it."""
    check_seat(log, wish.seat, holder)
    if log.stage == GATHERING:
        return [append(log, Leave(bot=None), wish.seat, wish.id)]
    bot = checked_bot(log.match.game, wish.bot) if wish.bot else stand_in(log)
    if log.seats[wish.seat].owner:  # it is only lent
        return [append(log, Lend(bot=bot), wish.seat, wish.id)]
    left = append(log, Leave(bot=bot), wish.seat, wish.id)
    if any(sitting.kind != "bot" or sitting.owner for sitting in log.seats):
        return [left]
    return [left, append(log, End(how="left"), wish.seat)]


def stand_in(log: Log) -> str:
    """Return the bot that plays on for somebody: as agreed, or as usual at tables from before it was."""
    return log.facts.terms.stand_in or bots.stand_in(log.facts.game)


def check_playing(log: Log) -> None:
    """Refuse before the game has begun."""
    if log.stage != PLAYING:
        raise Problem("not-begun")


def check_end(room: Room, log: Log, wish: Ask) -> Values:
    """Check that there is something to be ended."""
    check_playing(log)
    return {}


def end(log: Log, asked: Proposal) -> list[Entry]:
    """Break the game off, as was agreed."""
    return [append(log, End(how="agreed"), asked.by)]


# --- While somebody is absent


def check_absent(room: Room, log: Log, wish: Ask) -> int:
    """Return the seat of a person who has been away for longer than the grace time."""
    check_playing(log)
    seat = wish.values.get("seat")
    if not isinstance(seat, int) or not 0 <= seat < log.facts.seats:
        raise Problem("present")
    if not room.attendance.is_absent(log, seat) and not is_left_waiting(room, log, seat):
        raise Problem("present")
    return seat


def is_left_waiting(room: Room, log: Log, seat: int) -> bool:
    """Say whether nobody has come for a seat that was handed on, and its person has been away for the grace time.

    To hand it on they had to be connected, so that the time since they left began after that.
    """
    sitting = log.seats[seat]
    return sitting.kind == "free" and sitting.is_handed_on and room.attendance.absent_in(sitting.owner) == 0


def check_stand_in(room: Room, log: Log, wish: Ask) -> Values:
    """Check whose seat a bot is to take; which bot was agreed when the table was made, and a clock needs none."""
    if log.clocks is not None:
        raise Problem("clocked")
    bot = stand_in(log)
    if wish.values.get("bot", bot) != bot:
        raise Problem("agreed-bot", bot=bot)
    return {"seat": check_absent(room, log, wish), "bot": bot}


def lend(log: Log, asked: Proposal) -> list[Entry]:
    """Let a bot play for an absent person; what it was agreed on before stands in the proposal."""
    bot = asked.values.get("bot")
    return [append(log, Lend(bot if isinstance(bot, str) else None), asked.about)]


def hand_on(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Let a person give their own seat to whoever comes with its new link, and keep the right to it.

    What is sealed was decided by its person alone: nobody else is to see it, so it has to be shown first.
    """
    check_seat(log, wish.seat, holder)
    check_playing(log)
    if log.seats[wish.seat].owner:
        raise Problem("not-yours")
    if wish.seat in log.sealed:
        raise Problem("sealed")
    return [append(log, Lend(bot=None), wish.seat, wish.id)]


def come_back(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Give a seat back to its person, whoever plays it now; or to whom the host had sent away before the game."""
    if not 0 <= wish.seat < log.facts.seats or not log.seats[wish.seat].may_return(holder):
        raise Problem("not-yours")
    back = append(log, Return(), wish.seat, wish.id)
    return [back, *renamed(log, wish.seat, holder)]


def renamed(log: Log, seat: int, holder: str | None) -> list[Entry]:
    """Put a number behind a name that somebody else has taken while its person was away."""
    name = log.seats[seat].name
    free = free_name(name, names_at(log, [seat], holder)) if name else None
    return [append(log, Name(name=free), seat)] if free != name else []


def take_over(room: Room, log: Log, wish: Want, holder: str | None) -> list[Entry]:
    """Let a seated person be the host, if the one there was is absent."""
    check_seat(log, wish.seat, holder)
    if log.host == holder:
        return []
    if room.attendance.absent_in(log.host) != 0:
        raise Problem("present")
    return [append(log, Host(holder or ""), wish.seat, wish.id)]


WANTS: dict[str, Callable[[Room, Log, Want, str | None], list[Entry]]] = {
    "back": take_back,
    "resign": resign,
    "leave": leave,
    "hand-on": hand_on,
    "return": come_back,
    "host": take_over,
}
MATTERS = {
    "back": Matter(check_back, go_back, is_about_position=True),
    "end": Matter(check_end, end),
    "stand-in": Matter(check_stand_in, lend),
}
