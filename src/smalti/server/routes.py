"""The HTTP interface; it is described at /api/openapi.json."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import msgspec
from fastapi import APIRouter, Request, Response, WebSocket

from smalti import bots, games
from smalti.server import archive, bodies, deals, fairness, importing, messages, tables
from smalti.server.guard import Allowance, give_cookie, holder_in, is_from_here
from smalti.server.lobby import Lobby
from smalti.server.openapi import gives, takes
from smalti.server.problems import Problem
from smalti.server.rooms import Room, Rooms
from smalti.server.settings import Settings
from smalti.server.socket import GONE, NOT_LET_IN, Page, may_look
from smalti.server.telling import table_of

MOST_BYTES = 16 * 1024  # of a request's body
RECORD = "A record, as docs/records.md tells."
FOR_EVER = "public, max-age=31536000, immutable"

routes = APIRouter(prefix="/api")
T = TypeVar("T")


class Shared:
    """What all requests share."""

    def __init__(self, rooms: Rooms, lobby: Lobby, settings: Settings) -> None:
        self.rooms, self.lobby, self.settings = rooms, lobby, settings
        self.new_tables = Allowance(settings.tables_an_hour)


def shared(connection: Request | WebSocket) -> Shared:
    """Return what all requests share."""
    return cast(Shared, connection.app.state.shared)


async def body(request: Request, kind: type[T]) -> T:
    """Read the body of a request that changes something."""
    try:
        return msgspec.json.decode(await text_of(request, MOST_BYTES), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem("format", what=str(error)) from None


async def text_of(request: Request, most: int) -> bytes:
    """Return what a request brings as JSON, if it comes from a page of ours and is not too large."""
    if not is_from_here(request, shared(request).settings):
        raise Problem("origin")
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Problem("format", what="the body must be application/json")
    found = b""
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise Problem("large")
    return found


def told(message: Any, cache: str = "no-store") -> Response:
    """Answer with a message."""
    return Response(msgspec.json.encode(message), media_type="application/json", headers={"cache-control": cache})


def with_seats(response: Response, room: Room, holder: str) -> Response:
    """Tell a browser which seats it has now, in an answer that may bring its cookie."""
    response.body = msgspec.json.encode(bodies.Made(room.log.facts.id, room.log.held_by(holder)))
    response.headers["content-length"] = str(len(response.body))
    return response


async def room_of(request: Request | WebSocket, match: str) -> Room:
    """Return the room of a table."""
    return await shared(request).rooms.find(match)


@routes.get("/games", responses=gives(list[bodies.GameInfo]), tags=["games"])
async def list_games() -> Response:
    """List the games that can be played here, with their options and bots."""
    return told([game_info(name) for name in games.names()])


def game_info(name: str) -> bodies.GameInfo:
    """Describe a game."""
    game = games.find(name)
    return bodies.GameInfo(
        name=game.name,
        title=game.title,
        authors=game.authors,
        year=game.year,
        seats=list(game.seats),
        rules=game.version,
        options={option: list(values) for option, values in game.options.items()},
        hints=game.notation.HINTS,
        bots=bots.offered(name),
    )


@routes.get("/tables/open", responses=gives(bodies.TableList), tags=["tables"])
async def list_open(request: Request) -> Response:
    """List the tables that anybody may join, the newest first."""
    rooms = await shared(request).lobby.seeking(fresh=True)
    lines = [archive.line_of(room, holder_in(request)) for room in rooms[: archive.PAGE]]
    return told(bodies.TableList(lines, None))


@routes.get("/tables/mine", responses=gives(bodies.TableList), tags=["tables"])
async def list_mine(request: Request) -> Response:
    """List the games of this browser that are not over."""
    rooms, holder = shared(request).rooms, holder_in(request)
    return told(await archive.lines(rooms, await rooms.store.tables_of(holder or "", archive.MINE), holder))


@routes.get("/tables/over", responses=gives(bodies.TableList), tags=["archive"])
async def list_over(request: Request, game: str | None = None, before: float | None = None) -> Response:
    """List finished games, the newest first; `more` leads to older ones."""
    if game is not None and game not in games.names():
        return told(bodies.TableList([], None))
    return told(await archive.ended(shared(request).rooms, game, before, holder_in(request)))


@routes.post("/tables", responses=gives(bodies.Made, 201), openapi_extra=takes(bodies.NewTable), tags=["tables"])
async def make_table(request: Request) -> Response:
    """Make a table; the browser gets its cookie with the answer."""
    wanted = await body(request, bodies.NewTable)
    shared(request).new_tables.spend(request.client.host if request.client else "")
    response = Response(status_code=201, media_type="application/json")
    host = give_cookie(request, response, shared(request).settings)
    room = await tables.make(shared(request).rooms, wanted, host)
    return with_seats(response, room, host)


@routes.get("/tables/{match}", responses=gives(messages.Table), tags=["tables"])
async def show_table(request: Request, match: str) -> Response:
    """Tell who sits at a table; links are for the host alone."""
    room = await room_of(request, match)
    return told(table_of(room.log, holder_in(request), room.here(), room.watching()))


@routes.post("/tables/{match}/seats", responses=gives(bodies.Made), openapi_extra=takes(bodies.Claim), tags=["tables"])
async def claim_seat(request: Request, match: str) -> Response:
    """Sit down, with the key of a link or at a listed table; the browser gets its cookie with the answer."""
    wish = await body(request, bodies.Claim)
    room = await room_of(request, match)
    response = Response(media_type="application/json")
    holder = give_cookie(request, response, shared(request).settings)
    await tables.claim(room, wish, holder)
    return with_seats(response, room, holder)


@routes.patch("/tables/{match}/name", responses=gives(None, 204), openapi_extra=takes(bodies.Rename), tags=["tables"])
async def rename_seat(request: Request, match: str) -> Response:
    """Change the name on one's seats."""
    wish = await body(request, bodies.Rename)
    await tables.rename(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/seats/{seat}/link", responses=gives(None, 204), tags=["tables"])
async def reissue_link(request: Request, match: str, seat: int) -> Response:
    """Make a new link for a seat; the host gets it with the table's people."""
    await body(request, dict[str, str])
    await tables.reissue(await room_of(request, match), seat, holder_in(request))
    return Response(status_code=204)


@routes.patch("/tables/{match}", responses=gives(None, 204), openapi_extra=takes(bodies.Change), tags=["tables"])
async def change_table(request: Request, match: str) -> Response:
    """Say who may look on, list the table or not."""
    wish = await body(request, bodies.Change)
    await tables.change(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/again", responses=gives(bodies.Made), openapi_extra=takes(bodies.Again), tags=["tables"])
async def play_again(request: Request, match: str) -> Response:
    """Make the rematch, or return the one that has been made."""
    wish = await body(request, bodies.Again)
    rooms, holder = shared(request).rooms, holder_in(request)
    name = await tables.again(rooms, await room_of(request, match), wish, holder)
    return told(bodies.Made(name, (await rooms.find(name)).log.held_by(holder)))


@routes.post("/tables/{match}/nonces", responses=gives(None, 204), openapi_extra=takes(bodies.Nonces), tags=["tables"])
async def add_nonces(request: Request, match: str) -> Response:
    """Add to the luck of a table, for one's seats; it is dealt when everybody has."""
    wish = await body(request, bodies.Nonces)
    await fairness.add_nonces(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.get("/tables/{match}/fairness", responses=gives(bodies.Fairness), tags=["archive"])
async def show_fairness(request: Request, match: str) -> Response:
    """Tell what proves how a finished game was dealt."""
    return told(fairness.fairness_of(archive.finished(await room_of(request, match))))


@routes.get("/deals", responses=gives(bodies.Deal), tags=["archive"])
async def show_deal(request: Request, game: str, seats: int, code: str) -> Response:
    """Compare the finished tables of a deal; the game's options are further parameters."""
    options = {name: value for name, value in request.query_params.items() if name not in ("game", "seats", "code")}
    return told(await deals.deal_of(shared(request).rooms, game, seats, options, code, holder_in(request)))


@routes.get("/tables/{match}/replay", responses=gives(bodies.Replay), tags=["archive"])
async def show_replay(request: Request, match: str) -> Response:
    """Tell a finished game: people, events, result."""
    return told(archive.replay_of(await room_of(request, match)))


@routes.get("/tables/{match}/at/{number}", responses=gives(bodies.Step), tags=["archive"])
async def show_step(request: Request, match: str, number: int) -> Response:
    """Show the table of a finished game after so many events."""
    return told(archive.step_of(await room_of(request, match), number), FOR_EVER)


@routes.get("/tables/{match}/record", tags=["archive"])
async def show_record(request: Request, match: str) -> Response:
    """Download the record of a finished game."""
    text = archive.record_text(await room_of(request, match))
    name = {"content-disposition": f'attachment; filename="smalti-{match}.json"'}
    return Response(text, media_type="application/json", headers=name)


@routes.post(
    "/import", responses=gives(bodies.Made, 201), openapi_extra=takes(dict[str, Any], RECORD), tags=["archive"]
)
async def take_record(request: Request) -> Response:
    """Check a record and keep it; the same one again leads to where it is kept."""
    text = await text_of(request, importing.MOST_BYTES)
    shared(request).new_tables.spend(request.client.host if request.client else "")
    room = await importing.import_record(shared(request).rooms, text)
    answer = told(bodies.Made(room.log.facts.id, []))
    answer.status_code = 201
    return answer


@routes.websocket("/tables/{match}/live")
async def live(socket: WebSocket, match: str, watch: str | None = None) -> None:
    """Connect a page; what is said then is told in docs/wire.md."""
    settings, holder = shared(socket).settings, holder_in(socket)
    if not is_from_here(socket, settings):
        await socket.close()  # before it is accepted: status 403
        return
    await socket.accept()
    try:
        room = await room_of(socket, match)
    except Problem:
        await socket.close(GONE)
        return
    if not may_look(room.log, holder, watch):
        await socket.close(NOT_LET_IN)
        return
    await Page(socket, room, holder, watch, settings.messages_a_second).serve()
