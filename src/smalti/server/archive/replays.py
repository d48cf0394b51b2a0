"""Lists of tables, and finished games: all events, the table after each, the record."""

from __future__ import annotations

from typing import Any

from smalti import record_of
from smalti.server.archive.proofs import record_keys
from smalti.server.game_time import now
from smalti.server.rooms.render import happening, own_time, seats_of
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.entries import IMPORT, OVER
from smalti.server.table.log import Log
from smalti.server.table.takebacks import takebacks_of
from smalti.server.wire.http import Replay, Step, TableLine, TableList
from smalti.server.wire.to_page import Ended, Happening, Start

PAGE = 20  # tables in a list
MINE = 100  # games of one browser that are not over: none that waits for somebody may be missing


def line_of(room: Room, holder: str | None) -> TableLine:
    """Describe a table in one line."""
    log, over = room.log, room.log.stage == OVER
    seats = seats_of(log, holder, room.attendance.here(log))
    for seat in seats:
        seat.link = None
    mine = log.held_by(holder)
    return TableLine(
        id=log.facts.id,
        game=log.facts.game,
        stage=log.stage,
        seats=seats,
        made=log.facts.made,
        last=log.last,
        scores=log.match.scores if over else [],
        winners=log.winners,
        how=how_ended(log),
        my_turn=log.stage == "playing" and any(seat in log.match.acting for seat in mine),
        options=log.match.options,
        terms=log.facts.terms,
        host=host_name(log),
        watching=room.attendance.onlookers(log),
        origin=log.facts.origin,
        left=own_time(log, mine, now()),
        is_open=log.finders == "all",
    )


def host_name(log: Log) -> str | None:
    """Return what the host is called, on the first of their seats."""
    return next((log.seats[seat].name for seat in log.held_by(log.host)), None)


async def lines(rooms: Rooms, names: list[str], holder: str | None, more: str | None = None) -> TableList:
    """Describe tables by their names; those that cannot be read any more are left out."""
    return TableList([line_of(room, holder) for room in await rooms.find_all(names)], more)


async def ended(rooms: Rooms, game: str | None, before: float | None, holder: str | None) -> TableList:
    """List finished games, a page at a time."""
    found = await rooms.store.ended_tables(game, before, PAGE, holder)
    more = None
    if len(found) == PAGE:
        more = f"/api/tables/over?before={found[-1][1]!r}" + (f"&game={game}" if game else "")
    return await lines(rooms, [name for name, _ in found], holder, more)


def replay_of(log: Log, start: Start | None) -> Replay:
    """Describe a finished game, to those who may know where it began; events are numbered as in its record, from 1."""
    events, story = standing_events(log), [happening(event, None) for event in log.happened]
    return Replay(
        id=log.facts.id,
        game=log.facts.game,
        options=log.match.options,
        rules=log.facts.rules,
        names=[sitting.name or "" for sitting in log.seats],
        kinds=[sitting.kind for sitting in log.seats],
        bots=[sitting.bot for sitting in log.seats],
        made=log.facts.made,
        ended=log.last,
        events=events,
        story=story if len(story) > len(events) else [],
        scores=log.match.scores,
        winners=log.winners,
        verdict=log.match.game.verdict(log.match.table) if log.match.is_over else "",
        origin=log.facts.origin,
        start=start,
        over=log.match.is_over,
        resigned=sorted(log.resigned),
        how=how_ended(log),
        code=log.facts.terms.code,
        finders=log.finders,
    )


def standing_events(log: Log) -> list[Happening]:
    """Describe the events that were not taken back, numbered from 1."""
    events = [happening(event, None) for event in log.happened if event.stands]
    for number, event in enumerate(events, 1):
        event.n = number
    return events


def how_ended(log: Log) -> Ended | None:
    """Describe how a game ended before its end."""
    return Ended(log.ended.how, log.ended.by) if log.ended else None


def step_of(log: Log, number: int) -> Step:
    """Describe the table of a finished game after so many events."""
    match = log.match_at(number)
    return Step(
        n=number,
        view=match.view(None) if number else None,
        acting=sorted(match.acting),
        score=match.breakdown() if number else [],
        scores=match.scores,
    )


def record_text(log: Log) -> str:
    """Return the record of a finished game: what stands, and beside it what people did about it."""
    names = [f"bot:{sitting.bot}" if sitting.bot else sitting.name or "" for sitting in log.seats]
    more = record_keys(log) | people_of(log)
    if log.facts.origin != IMPORT:
        more |= {"made": log.facts.made, "ended": log.last}
    return record_of(log.match, rules=log.facts.rules, names=names, **more).text()


def people_of(log: Log) -> dict[str, Any]:
    """Return what a record tells of people beyond the game, if there is something to tell."""
    found: dict[str, Any] = {}
    if log.ended:
        found["broken_off"] = {"how": log.ended.how, "by": log.ended.by, "winners": log.winners}
    if log.resigned:
        found["resigned"] = sorted(log.resigned)
    taken_back = takebacks_of(log)
    return found | ({"taken_back": taken_back} if taken_back else {})
