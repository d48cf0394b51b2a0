"""Short links to a game or a position, `/g/ID` and `/g/ID/N`: what other sites show of them, and their pictures.

Every page of ours is the same file; for these addresses the server writes into its head what a preview shows, in the
language the reader asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse

from smalti.engine.errors import SmaltiError
from smalti.server.guard import address_of, site_of
from smalti.server.line.limits import PICTURE, REPLAY
from smalti.server.log import Log
from smalti.server.pages import BUILT, FOR_OTHERS, HEADERS, Texts
from smalti.server.pictures import Pictures, version
from smalti.server.problems import Problem
from smalti.server.serving import costs, finished_of, kept_by, shared

FOR_NOW = "public, max-age=300"
SIGN = BUILT / "icon-512.png"
WIDTH, HEIGHT = 1200, 630
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
        shared(request).limits.read(address_of(request), PICTURE)
    picture = await pictures.of(log, number)
    if picture is None:
        return FileResponse(SIGN, headers=shown(FOR_NOW)) if SIGN.exists() else Response(status_code=503)
    kept = kept_by(log) if v == version_of(log) else FOR_NOW if log.finders != "players" else "no-store"
    return Response(picture, media_type="image/png", headers=shown(kept))


def shown(kept: str) -> dict[str, str]:
    """Return the headers of a picture, which other sites may show."""
    return {"cache-control": kept, **FOR_OTHERS}


def version_of(log: Log) -> str:
    """Return what changes with the rules and with the boards."""
    return f"{log.facts.rules}-{version()}"


def last_of(log: Log) -> int:
    """Return the number of the last event."""
    return len(log.match.events)


# --- What stands in the head of a page


def add_previews(app: FastAPI, page: str, texts: Mapping[str, Texts]) -> None:
    """Answer the addresses of games with a page that says what it shows."""

    async def preview(request: Request, match: str, number: int | None = None) -> Response:
        head = await head_of(request, match, number, texts)
        return HTMLResponse(with_head(page, head), headers={**HEADERS, "cache-control": "no-cache"})

    async def game(request: Request, match: str) -> Response:
        return await preview(request, match)

    async def position(request: Request, match: str, number: str) -> Response:
        return await preview(request, match, int(number) if number.isdecimal() and len(number) < 6 else None)

    dear = [costs(REPLAY)]
    for address in ("/g/{match}", "/game/{match}"):
        app.add_api_route(address, game, methods=ASKED, include_in_schema=False, dependencies=dear)
    app.add_api_route("/g/{match}/{number}", position, methods=ASKED, include_in_schema=False, dependencies=dear)


def with_head(page: str, head: Mapping[str, str]) -> str:
    """Write a title and what previews show into a page."""
    if not head:
        return page
    tags = "".join(f'<meta {"property" if ":" in name and not name.startswith("twitter") else "name"}="{name}" '
                   f'content="{escape(text)}" />' for name, text in head.items())  # fmt: skip
    titled = page.replace("<title>Smalti</title>", f"<title>{escape(head['og:title'])} · Smalti</title>")
    return titled.replace("</head>", f"{tags}</head>")


async def head_of(request: Request, match: str, number: int | None, texts: Mapping[str, Texts]) -> dict[str, str]:
    """Return what a preview of a game shows; nothing of one that is not there or not over."""
    try:
        log = await finished_of(request, match)
        last = last_of(log)
    except SmaltiError:
        return {}
    language = language_of(request.headers.get("accept-language", ""), texts)
    if language is None or not last:
        return {}
    place = number if number is not None and 0 < number < last else None
    title, told = words(log, place, texts[language])
    site = site_of(request, shared(request).settings)
    address = f"/g/{log.facts.id}" + (f"/{place}" if place else "")
    picture = f"{site}/g/{log.facts.id}/{place or last}.png?v={version_of(log)}"
    return {
        "og:type": "website",
        "og:site_name": "Smalti",
        "og:title": title,
        "og:description": told,
        "og:url": site + address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": told,
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": told,
        "twitter:image": picture,
    }


def words(log: Log, place: int | None, texts: Texts) -> tuple[str, str]:
    """Return the title and the sentence of a preview."""
    game = texts[f"game.{log.facts.game}.title"]
    names = [named(log, seat, texts) for seat in range(log.facts.seats)]
    title = filled(texts["preview.title"], game=game, names=", ".join(names))
    if place:
        return title, filled(texts["preview.position"], n=str(place), last=str(last_of(log)))
    if not log.match.is_over:
        return title, filled(texts["preview.unfinished"], last=str(last_of(log)))
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, log.match.scores, strict=True))
    return title, filled(texts["preview.result"], scores=scores)


def named(log: Log, seat: int, texts: Texts) -> str:
    """Return what somebody is called."""
    sitting = log.seats[seat]
    if sitting.bot:
        return texts.get(f"bot.{sitting.bot}", sitting.bot)
    return sitting.name or filled(texts["preview.seat"], number=str(seat + 1))


def filled(text: str, **values: str) -> str:
    """Fill values into a text; what somebody typed is not looked at for braces."""
    parts = text.replace("}", "{").split("{")
    return "".join(values.get(part, "") if place % 2 else part for place, part in enumerate(parts))


def language_of(asked: str, known: Mapping[str, object]) -> str | None:
    """Return the language a reader asks for (`Accept-Language`), as far as we have it, else English."""
    wishes = []
    for place, part in enumerate(asked[:500].split(",")):
        tag, _, weight = part.partition(";q=")
        wishes.append((-weight_of(weight), place, tag.strip()[:2].lower()))
    return next((tag for weight, _, tag in sorted(wishes) if weight < 0 and tag in known), None) or (
        "en" if "en" in known else None
    )


def weight_of(text: str) -> float:
    """Return how much a language is wanted."""
    try:
        return min(1.0, float(text)) if text else 1.0
    except ValueError:
        return 0.0
