"""The HTTP interface; it is described at /api/openapi.json."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response, WebSocket

from smalti import bots, games
from smalti.server.actions import importing, nonces, tables
from smalti.server.archive import deals, proofs, replays
from smalti.server.doors.guard import address_of, give_cookie, holder_in, is_from_here
from smalti.server.doors.line.limits import LIST, PROOF, REPLAY
from smalti.server.doors.live.connection import COMPILING, GONE, LATER, NOT_LET_IN, TOO_MANY, close, serve
from smalti.server.doors.live.page import Page
from smalti.server.doors.requests import (
    body,
    cache_control,
    cached_answer,
    costs,
    encoded_response,
    finished_of,
    give_table,
    in_turn,
    json_response,
    room_of,
    settled_of,
    shared,
    text_of,
    with_seats,
)
from smalti.server.lobby.lobby import fairly
from smalti.server.problems import Problem
from smalti.server.rooms.render import start_of, table_of
from smalti.server.table.access import check_people, may_connect, why_shut
from smalti.server.table.log import Log
from smalti.server.wire import http, to_page
from smalti.server.wire.openapi import gives, takes

RECORD = "A record, as docs/records.md tells."

routes = APIRouter(prefix="/api")


@routes.get("/games", responses=gives(list[http.GameInfo]), tags=["games"])
async def list_games(request: Request) -> Response:
    """List the games that can be played here, with their options and bots, and how far they are compiled."""
    ready = shared(request).rooms.ready
    known = await asyncio.to_thread(lambda: [(name, bots.offered(name)) for name in games.names()])  # may be loading
    return json_response([game_info(name, offered, ready.percent(name)) for name, offered in known])


def game_info(name: str, offered: list[str], ready: int) -> http.GameInfo:
    """Describe a game."""
    game = games.find(name)
    return http.GameInfo(
        name=game.name,
        title=game.title,
        authors=game.authors,
        year=game.year,
        seats=list(game.seats),
        rules=game.version,
        options={option: list(values) for option, values in game.options.items()},
        hints=game.notation.HINTS,
        bots=offered,
        ready=ready,
    )


@routes.get("/tables/open", responses=gives(http.TableList), tags=["tables"], dependencies=[costs(LIST)])
async def list_open(request: Request) -> Response:
    """List the tables that anybody may join, the newest first."""
    rooms = fairly(await in_turn(request, shared(request).lobby.seeking(fresh=True)))
    lines = [replays.line_of(room, holder_in(request)) for room in rooms[: replays.PAGE]]
    return json_response(http.TableList(lines, None))


@routes.get("/tables/mine", responses=gives(http.TableList), tags=["tables"], dependencies=[costs(LIST)])
async def list_mine(request: Request) -> Response:
    """List the games of this browser that are not over."""
    rooms, holder = shared(request).rooms, holder_in(request)
    names = await rooms.store.tables_of(holder or "", replays.MINE)
    return json_response(await in_turn(request, replays.lines(rooms, names, holder)))


@routes.get("/tables/over", responses=gives(http.TableList), tags=["archive"], dependencies=[costs(LIST)])
async def list_over(request: Request, game: str | None = None, before: float | None = None) -> Response:
    """List finished games, the newest first; `more` leads to older ones."""
    if game is not None and game not in games.names():
        return json_response(http.TableList([], None))
    return json_response(await in_turn(request, replays.ended(shared(request).rooms, game, before, holder_in(request))))


@routes.post("/tables", responses=gives(http.Made, 201), openapi_extra=takes(http.NewTable), tags=["tables"])
async def make_table(request: Request) -> Response:
    """Make a table; the browser gets its cookie with the answer."""
    wanted = await body(request, http.NewTable)
    response = Response(status_code=201, media_type="application/json")
    host = give_table(request, response)
    room = await tables.make(shared(request).rooms, wanted, host)
    return with_seats(response, room, host)


@routes.get("/tables/{match}", responses=gives(to_page.Table), tags=["tables"], dependencies=[costs(1)])
async def show_table(request: Request, match: str, key: str | None = None, watch: str | None = None) -> Response:
    """Tell who sits at a table, to those who may look at it or bring the key of a link to it."""
    room, holder = await shared(request).rooms.find_newest(match), holder_in(request)
    check_people(room.log, holder, key, watch)
    here, onlookers = room.attendance.here(room.log), room.attendance.onlookers(room.log)
    return json_response(table_of(room.log, holder, here, onlookers))


@routes.post("/tables/{match}/seats", responses=gives(http.Made), openapi_extra=takes(http.Claim), tags=["tables"])
async def claim_seat(request: Request, match: str) -> Response:
    """Sit down, with the key of a link or at a listed table; the browser gets its cookie with the answer."""
    wish = await body(request, http.Claim)
    room = await room_of(request, match)
    shared(request).limits.sit_down(room.log.facts.id, address_of(request))
    response = Response(media_type="application/json")
    holder = give_cookie(request, response)
    await tables.claim(room, wish, holder)
    return with_seats(response, room, holder)


@routes.patch("/tables/{match}/name", responses=gives(None, 204), openapi_extra=takes(http.Rename), tags=["tables"])
async def rename_seat(request: Request, match: str) -> Response:
    """Change the name on one's seats."""
    wish = await body(request, http.Rename)
    await tables.rename(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/seats/{seat}/link", responses=gives(None, 204), tags=["tables"])
async def reissue_link(request: Request, match: str, seat: int) -> Response:
    """Make a new link for a seat; the host gets it with the table's people."""
    await body(request, dict[str, str])
    await tables.reissue(await room_of(request, match), seat, holder_in(request))
    return Response(status_code=204)


@routes.patch("/tables/{match}", responses=gives(None, 204), openapi_extra=takes(http.Change), tags=["tables"])
async def change_table(request: Request, match: str) -> Response:
    """Say who may look on, list the table or not."""
    wish = await body(request, http.Change)
    await tables.change(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/again", responses=gives(http.Made), openapi_extra=takes(http.Again), tags=["tables"])
async def play_again(request: Request, match: str) -> Response:
    """Make the rematch, or return the one that has been made."""
    wish = await body(request, http.Again)
    rooms, holder = shared(request).rooms, holder_in(request)
    name = await tables.again(rooms, await settled_of(request, match), wish, holder)
    return json_response(http.Made(name, (await rooms.find(name)).log.held_by(holder)))


@routes.post("/tables/{match}/nonces", responses=gives(None, 204), openapi_extra=takes(http.Nonces), tags=["tables"])
async def add_nonces(request: Request, match: str) -> Response:
    """Add to the luck of a table, for one's seats; it is dealt when everybody has."""
    wish = await body(request, http.Nonces)
    await nonces.add_nonces(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.get("/tables/{match}/fairness", responses=gives(http.Fairness), tags=["archive"])
async def show_fairness(request: Request, match: str) -> Response:
    """Tell what proves how a finished game was dealt."""
    log = await finished_of(request, match)
    return encoded_response(await cached_answer(request, log, "fairness", fairness_text, PROOF))


def fairness_text(log: Log) -> bytes:
    """Write what proves how a finished game was dealt."""
    return msgspec.json.encode(proofs.fairness_of(log))


@routes.get("/deals", responses=gives(http.Deal), tags=["archive"], dependencies=[costs(LIST)])
async def show_deal(request: Request, game: str, seats: int, code: str) -> Response:
    """Compare the finished tables of a deal; the game's options are further parameters."""
    options = {name: value for name, value in request.query_params.items() if name not in ("game", "seats", "code")}
    work = deals.deal_of(shared(request).rooms, game, seats, options, code, holder_in(request))
    return json_response(await in_turn(request, work))


@routes.get("/tables/{match}/replay", responses=gives(http.Replay), tags=["archive"])
async def show_replay(request: Request, match: str) -> Response:
    """Tell a finished game: people, events, result."""
    log = await finished_of(request, match)
    start = start_of(log, holder_in(request))
    what = "replay" if start is None else "replay with its start"
    return encoded_response(await cached_answer(request, log, what, partial(replay_text, start=start), REPLAY))


def replay_text(log: Log, start: to_page.Start | None) -> bytes:
    """Write down a finished game."""
    return msgspec.json.encode(replays.replay_of(log, start))


@routes.get("/tables/{match}/at/{number}", responses=gives(http.Step), tags=["archive"])
async def show_step(request: Request, match: str, number: int) -> Response:
    """Show the table of a finished game after so many events."""

    def step_text(log: Log) -> bytes:
        return msgspec.json.encode(replays.step_of(log, number))

    log = await finished_of(request, match)
    return encoded_response(await cached_answer(request, log, f"at {number}", step_text, REPLAY), cache_control(log))


@routes.get("/tables/{match}/record", tags=["archive"])
async def show_record(request: Request, match: str) -> Response:
    """Download the record of a finished game."""
    log = await finished_of(request, match)
    text = await cached_answer(request, log, "record", lambda log: replays.record_text(log).encode(), REPLAY)
    answer = encoded_response(text)
    answer.headers["content-disposition"] = f'attachment; filename="smalti-{match}.json"'
    return answer


@routes.post("/import", responses=gives(http.Made, 201), openapi_extra=takes(dict[str, Any], RECORD), tags=["archive"])
async def take_record(request: Request) -> Response:
    """Check a record and keep it; the same one again leads to where it is kept."""
    text = await text_of(request, importing.MOST_BYTES)
    holder, address = holder_in(request), address_of(request)
    shared(request).limits.make_table(holder or address, address, holder is None)
    name = await importing.import_record(shared(request).rooms, text, shared(request).imports)
    answer = json_response(http.Made(name, []))
    answer.status_code = 201
    return answer


@routes.websocket("/tables/{match}/live")
async def live(socket: WebSocket, match: str, watch: str | None = None) -> None:
    """Connect a page; what is said then is told in docs/wire.md."""
    if not is_from_here(socket, shared(socket).settings):
        await socket.close()  # before it is accepted: status 403
        return
    await socket.accept()
    with shared(socket).limits.socket(holder_in(socket) or "", address_of(socket)) as is_welcome:
        if is_welcome:
            await connect(socket, match, watch)
        else:
            await close(socket, TOO_MANY)


async def connect(socket: WebSocket, match: str, watch: str | None) -> None:
    """Let a page look at a table for as long as it is open."""
    holder = holder_in(socket) or ""
    try:
        room = await shared(socket).rooms.find_newest(match)
    except Problem as problem:
        codes = {"table.compiling": COMPILING}
        awaited = str(problem.values.get("game", ""))  # the page has not been told yet what is played here
        await close(socket, codes.get(problem.reason, LATER if problem.status >= 500 else GONE), awaited)
        return
    if not may_connect(room.log, holder, watch):
        await close(socket, NOT_LET_IN, why_shut(room.log, holder).reason)
        return
    address = address_of(socket)
    may_ask = partial(shared(socket).limits.may_say, holder, address)
    await serve(socket, Page(room, holder, watch, address), may_ask)
