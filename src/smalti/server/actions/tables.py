"""Making a table, sitting down, changing one's name, and what the host may do: each becomes entries of a log."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from smalti import bots, games
from smalti.engine.errors import BadInput
from smalti.engine.game import Game
from smalti.server.actions.forking import past_of
from smalti.server.actions.names import check_distinct, check_free, free_name, names_at
from smalti.server.actions.nonces import settled
from smalti.server.actions.text_input import checked_name
from smalti.server.game_time import now
from smalti.server.keys import is_same, link_key, new_id, new_secret, plain_id
from smalti.server.luck.derive import FAIR
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.clocks import checked_clock
from smalti.server.table.entries import GATHERING, OVER, Entry, Facts
from smalti.server.table.kinds import Bot, Link, List, Name, Next, Sit, Watch
from smalti.server.table.log import Log
from smalti.server.table.terms import Onlookers, Terms
from smalti.server.wire.http import Again, Change, Claim, Fill, NewTable, Rename, SeatWish


def checked_game(name: str) -> Game:
    """Return a game that can be played here."""
    if name not in games.names():
        raise Problem("game", known=games.listed())
    return games.find(name)


def checked_wish(game: Game, wish: SeatWish) -> SeatWish:
    """Check who is to sit on a seat."""
    if wish.kind == "here":
        return SeatWish("here", name=checked_name(wish.name))
    if wish.kind == "link":
        return SeatWish("link")
    if wish.kind != "bot":
        raise Problem("kind")
    return SeatWish("bot", bot=checked_bot(game, wish.bot))


def checked_bot(game: Game, bot: str | None) -> str:
    """Return the name of a bot that plays here."""
    known = bots.offered(game.name)
    if bot not in known:
        raise Problem("bots", known=", ".join(known))
    return bot


def checked_terms(game: Game, terms: Terms) -> Terms:
    """Return terms that a game can be played by."""
    checked_clock(terms.clock)
    stand_in = checked_bot(game, terms.stand_in) if terms.stand_in else bots.stand_in(game.name)
    return settled(msgspec.structs.replace(terms, stand_in=stand_in))


def new_facts(game: Game, seats: int, options: dict[str, str], host: str, terms: Terms) -> Facts:
    """Return the facts of a new table; its secrets come from the system."""
    try:
        checked = game.checked_options(options)
    except BadInput as error:
        raise Problem("options") from error
    return Facts(
        id=new_id(),
        game=game.name,
        seats=seats,
        options=checked,
        rules=game.version,
        made=now(),
        secret=new_secret(),
        key=new_secret(),
        host=host,
        terms=terms,
    )


async def make(rooms: Rooms, wanted: NewTable, host: str) -> Room:
    """Make a table as somebody wishes."""
    game = checked_game(wanted.game)
    rooms.ready.check(game.name)
    if len(wanted.seats) not in game.seats:
        raise Problem("seats", wanted=", ".join(map(str, game.seats)))
    wishes = [checked_wish(game, wish) for wish in wanted.seats]
    check_distinct([wish.name for wish in wishes if wish.name], [wish.bot for wish in wishes if wish.bot])
    facts = new_facts(game, len(wishes), wanted.options, host, checked_terms(game, wanted.terms))
    past = None
    if wanted.start:
        facts, past = await past_of(rooms, facts, wanted.start)

    def decide(log: Log) -> list[Entry]:
        entries = [append(log, past)] if past else []
        entries += let_look(log, wanted.onlookers)
        entries.append(append(log, List(listed=wanted.listed)))
        for seat, wish in enumerate(wishes):
            if wish.kind == "here":
                entries.append(append(log, Sit(name=wish.name, holder=host), seat))
            elif wish.kind == "bot":
                entries.append(append(log, Bot(wish.bot or ""), seat))
        return entries

    return await rooms.make(facts, wanted.listed, decide)


def let_look(log: Log, mode: Onlookers | None) -> list[Entry]:
    """Say who may look on, if that is anything new."""
    return [] if mode is None or mode == log.onlookers else [append(log, Watch(mode))]


async def claim(room: Room, wish: Claim, holder: str, vary: bool = False) -> None:
    """Let a browser sit down on the seat of its link, or on the first free seat of a listed table.

    A name that somebody there has already is refused, or, where strangers meet, varied.
    """
    name = checked_name(wish.name)

    def decide(log: Log) -> list[Entry]:
        if wish.key is None and log.held_by(holder):
            return []
        seat = seat_of_key(log, wish.key) if wish.key is not None else free_seat(log, holder)
        if log.seats[seat].holder == holder:
            return []
        if log.stage == OVER:
            raise Problem("over")
        if not log.seats[seat].is_for_link:
            raise Problem("used")
        others = names_at(log, [seat], holder)
        if not vary:
            check_free(name, others)
        return [append(log, Sit(name=free_name(name, others), holder=holder), seat)]

    await room.happen(decide, holder)


def seat_of_key(log: Log, key: str) -> int:
    """Return the seat that a link claims."""
    for seat in range(log.facts.seats):
        if is_same(key, log.seat_key(seat)):
            return seat
    raise Problem("link")


def free_seat(log: Log, holder: str) -> int:
    """Return the seat that a browser was sent away from, or the first free one of a table that is open to all."""
    for seat, sitting in enumerate(log.seats):
        if sitting.kind == "free" and sitting.former == holder:
            return seat
    if not log.listed:
        raise Problem("link")
    for seat, sitting in enumerate(log.seats):
        if sitting.kind == "free" and sitting.owner is None:  # a lent one is for whoever gets its link
            return seat
    raise Problem("full")


async def rename(room: Room, wish: Rename, holder: str | None) -> None:
    """Change the name on a seat of this browser, or on all of them."""
    name = checked_name(wish.name)

    def decide(log: Log) -> list[Entry]:
        mine = log.held_by(holder)
        if not mine or (wish.seat is not None and wish.seat not in mine):
            raise Problem("not-yours")
        seats = mine if wish.seat is None else [wish.seat]
        check_free(name, names_at(log, seats, holder))
        return [append(log, Name(name=name), seat) for seat in seats if log.seats[seat].name != name]

    await room.happen(decide, holder)


def check_host(log: Log, holder: str | None) -> None:
    """Refuse whoever did not make the table."""
    if holder is None or holder != log.host:
        raise Problem("not-host")


async def reissue(room: Room, seat: int, holder: str | None) -> None:
    """Make a new link for a free seat; before the game also for one that somebody else holds, who may come back."""

    def decide(log: Log) -> list[Entry]:
        check_host(log, holder)
        if log.stage == OVER:
            raise Problem("over")
        if not 0 <= seat < log.facts.seats or log.seats[seat].kind == "bot" or log.seats[seat].holder == holder:
            raise Problem("not-yours")
        if log.stage != GATHERING and log.seats[seat].entitled:
            raise Problem("held")
        return [append(log, Link(), seat)]

    await room.happen(decide, holder)


async def change(room: Room, wish: Change, holder: str | None) -> None:
    """Let the host say who may look on, or list the table."""

    def decide(log: Log) -> list[Entry]:
        check_host(log, holder)
        return let_look(log, wish.onlookers) + let_join(log, wish.listed)

    await room.happen(decide, holder)


def let_join(log: Log, listed: bool | None) -> list[Entry]:
    """List the table or not, if that is anything new; once the game has begun nobody alone makes it public."""
    if listed in (None, log.listed):
        return []
    if log.stage != GATHERING:
        raise Problem("over" if log.stage == OVER else "started")
    return [append(log, List(listed=listed))]


async def fill(room: Room, wish: Fill, holder: str | None) -> None:
    """Let the host seat bots where nobody sits yet."""
    bot = checked_bot(room.log.match.game, wish.bot)

    def decide(log: Log) -> list[Entry]:
        check_host(log, holder)
        free = [seat for seat, sitting in enumerate(log.seats) if sitting.kind == "free"]
        if log.stage != GATHERING:
            raise Problem("started")
        if not free or not set(wish.seats or free) <= set(free):
            raise Problem("full")
        return [append(log, Bot(bot=bot), seat) for seat in sorted(set(wish.seats or free))]

    await room.happen(decide, holder)


async def again(rooms: Rooms, room: Room, wish: Again, holder: str | None) -> str:
    """Make the rematch, once: the same people, their seats moved on by one; bots may be others."""
    log = room.log
    others = {seat: checked_bot(log.match.game, bot) for seat, bot in wish.bots.items()}
    if not log.held_by(holder):
        raise Problem("not-yours")
    if log.stage != OVER:
        raise Problem("not-over")
    if log.next is None:
        made = await rooms.make(next_facts(log), log.listed, lambda new: seat_again(log, new, others))

        def decide(current: Log) -> list[Entry]:
            return [] if current.next else [append(current, Next(table=made.log.facts.id))]

        await room.happen(decide, holder)
    assert room.log.next
    return room.log.next


def next_facts(log: Log) -> Facts:
    """Return the facts of a rematch, by the newest rules; its name follows from this table: it cannot be made twice."""
    terms = msgspec.structs.replace(log.facts.terms, fair=FAIR, code=None)  # the same deal twice would be no game
    facts = new_facts(games.find(log.facts.game), log.facts.seats, dict(log.facts.options), log.host, terms)
    return replace(facts, id=plain_id(link_key(log.facts.key, f"next {log.facts.id}")[:12]))


def seat_again(before: Log, log: Log, others: dict[int, str]) -> list[Entry]:
    """Seat everybody again, each one seat further, so that another one starts; these seats' bots are replaced."""
    entries = let_look(log, before.onlookers)
    entries.append(append(log, List(listed=before.listed)))
    for seat, sitting in enumerate(before.seats):
        place = (seat + 1) % len(before.seats)
        if sitting.kind == "person":
            entries.append(append(log, Sit(sitting.name, sitting.holder or ""), place))
        elif sitting.kind == "bot":
            entries.append(append(log, Bot(others.get(seat, sitting.bot or "")), place))
    return entries
