"""Short links to a game or a position, `/g/ID` and `/g/ID/N`, and their pictures; `previews` has what they say."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse

from smalti.engine.errors import SmaltiError
from smalti.server.archive.pictures import Pictures
from smalti.server.built_pages import BUILT, Texts
from smalti.server.doors.guard import address_of, site_of
from smalti.server.doors.line.limits import PICTURE, REPLAY
from smalti.server.doors.pages import FOR_OTHERS, HEADERS
from smalti.server.doors.previews import language_of, last_of, preview_of, version_of, with_tags
from smalti.server.doors.requests import cache_control, costs, finished_of, shared
from smalti.server.problems import Problem
from smalti.server.table.log import Log

FOR_NOW = "public, max-age=300"
SIGN = BUILT / "icon-512.png"
ASKED = ["GET", "HEAD"]
pictures_routes = APIRouter()


def add_pictures(app: FastAPI) -> None:
    """Serve pictures of positions; call `app.state.pictures.stop` at the end."""
    app.state.pictures = Pictures()
    app.include_router(pictures_routes)


@pictures_routes.api_route("/g/{match}.png", methods=ASKED, include_in_schema=False)
async def show_last_picture(request: Request, match: str) -> Response:
    """Show the end of a game."""
    log = await finished_of(request, match)
    return await answer(request, log, last_of(log), "")


@pictures_routes.api_route("/g/{match}/{number}.png", methods=ASKED, include_in_schema=False)
async def show_picture(request: Request, match: str, number: int, v: str = "") -> Response:
    """Show a position; an address with our version is kept for ever."""
    log = await finished_of(request, match)
    if not 0 < number <= last_of(log):
        raise Problem("event", last=last_of(log))
    return await answer(request, log, number, v)


async def answer(request: Request, log: Log, number: int, v: str) -> Response:
    """Answer with a picture, or with the sign of the site."""
    pictures: Pictures = request.app.state.pictures
    if not pictures.has(log, number):
        shared(request).limits.count_work(address_of(request), PICTURE)
    picture = await pictures.of(log, number)
    if picture is None:
        return FileResponse(SIGN, headers=picture_headers(FOR_NOW)) if SIGN.exists() else Response(status_code=503)
    cache = cache_control(log) if v == version_of(log) else FOR_NOW if log.finders != "players" else "no-store"
    return Response(picture, media_type="image/png", headers=picture_headers(cache))


def picture_headers(cache: str) -> dict[str, str]:
    """Return the headers of a picture, which other sites may show."""
    return {"cache-control": cache, **FOR_OTHERS}


# --- Pages of games


def add_previews(app: FastAPI, page: str, texts: Mapping[str, Texts]) -> None:
    """Answer the addresses of games with a page that says what it shows."""

    async def preview(request: Request, match: str, number: int | None = None) -> Response:
        tags = await preview_tags(request, match, number, texts)
        return HTMLResponse(with_tags(page, tags), headers={**HEADERS, "cache-control": "no-cache"})

    async def game(request: Request, match: str) -> Response:
        return await preview(request, match)

    async def position(request: Request, match: str, number: str) -> Response:
        return await preview(request, match, int(number) if number.isdecimal() and len(number) < 6 else None)

    dear = [costs(REPLAY)]
    for address in ("/g/{match}", "/game/{match}"):
        app.add_api_route(address, game, methods=ASKED, include_in_schema=False, dependencies=dear)
    app.add_api_route("/g/{match}/{number}", position, methods=ASKED, include_in_schema=False, dependencies=dear)


async def preview_tags(request: Request, match: str, number: int | None, texts: Mapping[str, Texts]) -> dict[str, str]:
    """Return what a preview of a game shows; nothing of one that is not there or not over."""
    try:
        log = await finished_of(request, match)
        last = last_of(log)
    except SmaltiError:
        return {}
    language = language_of(request.headers.get("accept-language", ""), texts)
    if language is None or not last:
        return {}
    return preview_of(log, number, site_of(request, shared(request).settings), language, texts)
