"""The application: everything put together, and what happens to errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import smalti
import smalti.server.pausing  # adds to what can be agreed on
from smalti import games
from smalti.engine.errors import SmaltiError
from smalti.server.files import exclusive
from smalti.server.herald import herald_for
from smalti.server.keeping import Keeper
from smalti.server.line.door import Door
from smalti.server.line.replies import text_of, wait_of
from smalti.server.lobby import Lobby
from smalti.server.lobby_routes import routes as lobby_routes
from smalti.server.notice_routes import routes as notice_routes
from smalti.server.notices import Notices
from smalti.server.openapi import document
from smalti.server.operations import health, logs
from smalti.server.operations.metrics import ErrorCounter, LoopLag, Metrics
from smalti.server.operations.middleware import Middleware
from smalti.server.operations.retention import Retention
from smalti.server.pages import HEADERS, HTTPS, add_pages, page_of, preview_texts
from smalti.server.problems import Problem, problem_of
from smalti.server.readiness import Preparation, Readiness
from smalti.server.rooms import Rooms
from smalti.server.routes import routes
from smalti.server.serving import Shared
from smalti.server.settings import Settings, from_environment
from smalti.server.sharing import add_pictures, add_previews
from smalti.server.site_keys import site_keys
from smalti.server.starting import needed
from smalti.server.store import Store
from smalti.server.talk_routes import routes as talk_routes
from smalti.server.tasks import ended, supervised
from smalti.server.thinking import Thinkers


def problem_response(problem: Problem) -> Response:
    """Answer with what is wrong."""
    headers = HEADERS | wait_of(problem)
    return Response(text_of(problem), problem.status, headers, media_type="application/json")


def add_error_answers(app: FastAPI) -> None:
    """Turn every error into a message with a key, never a traceback."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, SmaltiError)
        return problem_response(problem_of(error))

    async def malformed(request: Request, error: Exception) -> Response:
        return problem_response(Problem("format", what="an address or a value in it"))

    async def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        missing = error.status_code == 404
        return problem_response(Problem("address") if missing else Problem("format", what=error.detail))

    app.add_exception_handler(SmaltiError, ours)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, missing)


async def start(app: FastAPI, settings: Settings, stack: AsyncExitStack) -> None:
    """Start everything in order, each with its stop on the stack."""
    metrics: Metrics = app.state.metrics
    store = Store(settings.database, settings.database_seconds, settings.wait_seconds, metrics)
    with needed():
        if store.is_file:
            stack.enter_context(exclusive(store.url.database))
        await store.start()
        stack.push_async_callback(store.stop)
        keys = await site_keys(store)
    herald = herald_for(settings.redis, settings.wait_seconds)
    thinkers = Thinkers(settings.thinkers, herald, metrics)
    stack.push_async_callback(thinkers.stop)
    rooms = Rooms(store, herald, thinkers, settings, app.state.ready)
    stack.push_async_callback(herald.stop)
    with needed():
        await herald.start(rooms.heard, rooms.missed)
    await rooms.whereabouts.start()
    stack.push_async_callback(rooms.stop)
    rooms.start()
    stack.push_async_callback(app.state.pictures.stop)
    lobby, notices, keeper = Lobby(rooms), Notices(rooms, settings), Keeper(rooms)
    lobby.start()
    stack.push_async_callback(lobby.stop)
    await notices.start()
    stack.push_async_callback(notices.stop)
    await keeper.start()
    stack.push_async_callback(keeper.stop)
    preparation = Preparation(app.state.ready, thinkers)
    stack.push_async_callback(preparation.stop)
    preparation.start()
    app.state.shared, app.state.notices = Shared(rooms, lobby, settings, keys), notices
    watch(app, rooms)
    stack.push_async_callback(ended, supervised("lag", LoopLag(metrics).run))
    if settings.keep_days:
        retention = Retention(settings.keep_days)
        stack.push_async_callback(ended, supervised("retention", lambda: retention.run(store)))


def watch(app: FastAPI, rooms: Rooms) -> None:
    """Let whoever watches the site see its parts."""
    app.state.metrics.rooms.set_function(lambda: len(rooms.open))
    app.state.health.parts = {
        "database": health.untroubled(rooms.store.trouble),
        "bus": health.answering(rooms.herald.answers),
        "bots": health.bots(rooms.thinkers),
        **{name: health.compiled(partial(rooms.ready.percent, name)) for name in games.names()},
    }


def create_app(settings: Settings | None = None, pages: bool = True) -> FastAPI:
    """Return the application; without settings they come from the environment."""
    chosen, metrics = settings or from_environment(), Metrics()

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        logs.configure(chosen.log_level, chosen.log_json)
        async with AsyncExitStack() as stack:  # whatever fails, what was started before is stopped, the last one first
            stack.enter_context(ErrorCounter(metrics))
            await start(app, chosen, stack)
            yield

    app = FastAPI(
        title="Smalti",
        version=smalti.__version__,
        description="Tables, seats and finished games. What is said over the WebSocket is told in docs/wire.md.",
        lifespan=running,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `document` tells it
    )
    app.state.ready = Readiness()
    app.include_router(routes)
    app.include_router(lobby_routes)
    app.include_router(notice_routes)
    app.include_router(talk_routes)
    add_pictures(app)
    add_error_answers(app)
    document(app)

    health.add_health(app, metrics, chosen.metrics_token)
    app.add_middleware(Door, settings=chosen)
    app.add_middleware(Middleware, headers=HEADERS | (HTTPS if chosen.secure_cookie else {}), metrics=metrics)
    if pages:
        page = page_of()
        add_previews(app, page, preview_texts())
        add_pages(app, page)
    return app
