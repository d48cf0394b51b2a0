"""The application: everything put together, and what happens to errors."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import smalti
import smalti.server.pausing  # adds to what can be agreed on
from smalti.engine.errors import SmaltiError
from smalti.server.herald import herald_for
from smalti.server.keeping import Keeper
from smalti.server.lobby import Lobby
from smalti.server.lobby_routes import routes as lobby_routes
from smalti.server.notice_routes import routes as notice_routes
from smalti.server.notices import Notices
from smalti.server.openapi import document
from smalti.server.pages import HEADERS, add_pages, page_of
from smalti.server.problems import Problem, problem_of
from smalti.server.rooms import Rooms
from smalti.server.routes import Shared, routes
from smalti.server.settings import Settings, from_environment
from smalti.server.sharing import add_pictures, add_previews, preview_texts
from smalti.server.store import Store
from smalti.server.thinking import Thinkers

logger = logging.getLogger(__name__)


def problem_response(problem: Problem) -> Response:
    """Answer with what is wrong."""
    told = problem.told()
    return Response(msgspec.json.encode(told), problem.status, HEADERS, media_type="application/json")


def add_error_answers(app: FastAPI) -> None:
    """Turn every error into a message with a key, never a traceback."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, SmaltiError)
        return problem_response(problem_of(error))

    async def malformed(request: Request, error: Exception) -> Response:
        return problem_response(Problem("format", what="an address or a value in it"))

    async def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return problem_response(Problem("gone") if error.status_code == 404 else Problem("format", what=error.detail))

    async def broken(request: Request, error: Exception) -> Response:
        logger.error("%s %s", request.method, request.url.path, exc_info=error)
        return problem_response(Problem("server"))

    app.add_exception_handler(SmaltiError, ours)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, missing)
    app.add_exception_handler(Exception, broken)


def create_app(settings: Settings | None = None, pages: bool = True) -> FastAPI:
    """Return the application; without settings they come from the environment."""
    chosen = settings or from_environment()

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        store, herald, thinkers = Store(chosen.database), herald_for(chosen.redis), Thinkers(chosen.thinkers)
        await store.start()
        rooms = Rooms(store, herald, thinkers, chosen)
        await herald.start(rooms.heard)
        await rooms.whereabouts.start()
        thinkers.start()
        lobby, notices, keeper = Lobby(rooms), Notices(rooms, chosen), Keeper(rooms)
        lobby.start()
        await notices.start()
        await keeper.start()
        app.state.shared, app.state.notices = Shared(rooms, lobby, chosen), notices
        yield
        await keeper.stop()
        await notices.stop()
        await lobby.stop()
        await app.state.pictures.stop()
        await rooms.stop()
        await herald.stop()
        thinkers.stop()
        await store.stop()

    app = FastAPI(
        title="Smalti",
        version=smalti.__version__,
        description="Tables, seats and finished games. What is said over the WebSocket is told in docs/wire.md.",
        lifespan=running,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(routes)
    app.include_router(lobby_routes)
    app.include_router(notice_routes)
    add_pictures(app)
    add_error_answers(app)
    document(app)

    @app.middleware("http")
    async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await answer(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    if pages:
        page = page_of()
        add_previews(app, page, preview_texts())
        add_pages(app, page)
    return app
