"""The application: everything put together, and what happens to errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import smalti
from smalti import games
from smalti.engine.errors import SmaltiError
from smalti.server.built_pages import page_of, preview_texts
from smalti.server.bus import bus_for
from smalti.server.doors import health
from smalti.server.doors.chat_routes import routes as chat_routes
from smalti.server.doors.line.door import Door
from smalti.server.doors.line.replies import text_of, wait_of
from smalti.server.doors.lobby_routes import routes as lobby_routes
from smalti.server.doors.middleware import Middleware
from smalti.server.doors.notice_routes import routes as notice_routes
from smalti.server.doors.pages import HEADERS, HTTPS, add_pages
from smalti.server.doors.requests import Shared
from smalti.server.doors.routes import routes
from smalti.server.doors.sharing import add_pictures, add_previews
from smalti.server.lobby.lobby import Lobby
from smalti.server.notices.notices import Notices
from smalti.server.problems import Problem, problem_of
from smalti.server.rooms.rooms import Rooms
from smalti.server.services.retention import Retention
from smalti.server.services.timeouts import Timeouts
from smalti.server.settings import Settings, from_environment
from smalti.server.startup import needed
from smalti.server.store.files import exclusive
from smalti.server.store.site_keys import SiteKeys, site_keys
from smalti.server.store.store import Store
from smalti.server.tasks import ended, supervised
from smalti.server.telemetry import logs
from smalti.server.telemetry.metrics import ErrorCounter, LoopLag, Metrics
from smalti.server.wire.openapi import document
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.readiness import Preparation, Readiness


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
    # 1. The database, without which there is nothing.
    store, keys = await start_store(settings, app.state.metrics, stack)
    # 2. The rooms, with the bus to other processes and the bots.
    rooms = await start_rooms(store, settings, app.state.ready, stack)
    stack.push_async_callback(app.state.pictures.stop)
    # 3. What happens without anybody asking for it.
    lobby, notices = await start_services(rooms, settings, stack)
    start_background(app, rooms, settings, stack)
    # 4. The doors can be opened.
    app.state.shared, app.state.notices = Shared(rooms, lobby, settings, keys), notices
    watch(app, rooms)


async def start_store(settings: Settings, metrics: Metrics, stack: AsyncExitStack) -> tuple[Store, SiteKeys]:
    """Open the database, whose file is ours alone, and find the keys of the site in it."""
    store = Store(settings.database, settings.database_seconds, settings.wait_seconds, metrics)
    with needed():
        if store.is_file:
            stack.enter_context(exclusive(store.url.database))
        await store.start()
        stack.push_async_callback(store.stop)
        return store, await site_keys(store)


async def start_rooms(store: Store, settings: Settings, ready: Readiness, stack: AsyncExitStack) -> Rooms:
    """Start the bus, the processes of bots, and the rooms that need both."""
    bus = bus_for(settings.redis, settings.wait_seconds)
    bot_pool = BotPool(settings.thinkers, bus, store.metrics)
    stack.push_async_callback(bot_pool.stop)
    rooms = Rooms(store, bus, bot_pool, settings, ready)
    stack.push_async_callback(bus.stop)
    with needed():
        await bus.start(rooms.changed_elsewhere, rooms.messages_lost)
    await rooms.presence.start()
    stack.push_async_callback(rooms.stop)
    rooms.start()
    return rooms


async def start_services(rooms: Rooms, settings: Settings, stack: AsyncExitStack) -> tuple[Lobby, Notices]:
    """Start what looks after open tables, tells absent people of their turns, and minds the clocks."""
    lobby, notices, timeouts = Lobby(rooms), Notices(rooms, settings), Timeouts(rooms)
    lobby.start()
    stack.push_async_callback(lobby.stop)
    await notices.start()
    stack.push_async_callback(notices.stop)
    await timeouts.start()
    stack.push_async_callback(timeouts.stop)
    return lobby, notices


def start_background(app: FastAPI, rooms: Rooms, settings: Settings, stack: AsyncExitStack) -> None:
    """Start what nobody waits for: compiling the games, timing the event loop, deleting old games."""
    preparation = Preparation(app.state.ready, rooms.bot_pool)
    stack.push_async_callback(preparation.stop)
    preparation.start()
    stack.push_async_callback(ended, supervised("lag", LoopLag(app.state.metrics).run))
    if settings.keep_days:
        retention = Retention(settings.keep_days)
        stack.push_async_callback(ended, supervised("retention", lambda: retention.run(rooms.store)))


def watch(app: FastAPI, rooms: Rooms) -> None:
    """Let whoever watches the site see its parts."""
    app.state.metrics.rooms.set_function(lambda: len(rooms.open))
    app.state.health.parts = {
        "database": health.untroubled(rooms.store.trouble),
        "bus": health.answering(rooms.bus.answers),
        "bots": health.bots(rooms.bot_pool),
        **{name: health.compiled(partial(rooms.ready.percent, name)) for name in games.names()},
    }


def create_app(settings: Settings | None = None, pages: bool = True) -> FastAPI:
    """Return the application; without settings they come from the environment."""
    chosen, metrics = settings or from_environment(), Metrics()
    app = FastAPI(
        title="Smalti",
        version=smalti.__version__,
        description="Tables, seats and finished games. What is said over the WebSocket is told in docs/wire.md.",
        lifespan=partial(running, chosen, metrics),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `document` tells it
    )
    app.state.ready = Readiness()
    add_routes(app)
    health.add_health(app, metrics, chosen.metrics_token)
    app.add_middleware(Door, settings=chosen)
    app.add_middleware(Middleware, headers=HEADERS | (HTTPS if chosen.secure_cookie else {}), metrics=metrics)
    if pages:
        page = page_of()
        add_previews(app, page, preview_texts())
        add_pages(app, page)
    return app


@asynccontextmanager
async def running(settings: Settings, metrics: Metrics, app: FastAPI) -> AsyncIterator[None]:
    """Start everything, and stop it in the end."""
    logs.configure(settings.log_level, settings.log_json)
    async with AsyncExitStack() as stack:  # whatever fails, what was started before is stopped, the last one first
        stack.enter_context(ErrorCounter(metrics))
        await start(app, settings, stack)
        yield


def add_routes(app: FastAPI) -> None:
    """Add what can be asked for, beside the pages, and how errors are answered."""
    for router in (routes, lobby_routes, notice_routes, chat_routes):
        app.include_router(router)
    add_pictures(app)
    add_error_answers(app)
    document(app)
