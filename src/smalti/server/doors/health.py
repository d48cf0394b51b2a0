"""Whether the site is alive and ready, for whatever watches it; its metrics, for whoever has their token."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.exceptions import HTTPException

from smalti.server.telemetry.metrics import CONTENT_TYPE, Metrics
from smalti.server.workers.bot_pool import BotPool

logger = logging.getLogger(__name__)
PATIENCE = 2.0  # seconds that a part may take to answer
FRESH = 1.0  # seconds for which an answer is good enough, however many ask

health_routes = APIRouter(include_in_schema=False)


class PartState(msgspec.Struct, omit_defaults=True):
    """How a part of the site is, in words for whoever runs it; it is shown to everybody."""

    ready: bool
    told: str = ""
    percent: int | None = None


class Readiness(msgspec.Struct):
    """Whether the site can be used, part by part."""

    ready: bool
    parts: dict[str, PartState]


Part = Callable[[], Awaitable[PartState]]


async def state_of(name: str, part: Part) -> PartState:
    """Ask a part how it is; one that fails or takes too long is not ready."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await part()
    except TimeoutError:
        return PartState(False, f"no answer within {PATIENCE:g} s")
    except Exception as error:
        logger.warning("%s is not ready: %s", name, str(error).partition("\n")[0] or type(error).__name__)
        return PartState(False, "it does not answer")


class Health:
    """Asks the parts, once for all who want to know at the same time; parts are added when they are there."""

    def __init__(self) -> None:
        self.parts: dict[str, Part] = {}
        self.last = Readiness(False, {})
        self.until = 0.0
        self.asking = asyncio.Lock()

    async def readiness(self) -> Readiness:
        """Say whether the site can be used."""
        async with self.asking:
            if time.monotonic() > self.until:
                self.last = await self.ask_all()
                self.until = time.monotonic() + FRESH
        return self.last

    async def ask_all(self) -> Readiness:
        """Ask all parts at the same time."""
        states = await asyncio.gather(*(state_of(name, part) for name, part in self.parts.items()))
        return Readiness(all(state.ready for state in states), dict(zip(self.parts, states, strict=True)))


def add_health(app: FastAPI, metrics: Metrics, token: str | None) -> None:
    """Answer those who watch the site; the parts of `app.state.health` are named when they are there."""
    app.state.health, app.state.metrics, app.state.metrics_token = Health(), metrics, token
    app.include_router(health_routes)


@health_routes.api_route("/healthz", methods=["GET", "HEAD"])
async def alive() -> Response:
    """Say that the process answers."""
    return answer({"alive": True})


@health_routes.api_route("/readyz", methods=["GET", "HEAD"])
async def ready(request: Request) -> Response:
    """Say whether the site can be used, part by part."""
    found = await request.app.state.health.readiness()
    return answer(found, 200 if found.ready else 503)


@health_routes.get("/metrics")
async def show_metrics(request: Request) -> Response:
    """Show the counters to whoever has the token; without one they are shown to nobody."""
    token = request.app.state.metrics_token
    if token is None:
        raise HTTPException(404)
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    is_right = hmac.compare_digest(given.strip().encode(), token.encode())
    if scheme.lower() != "bearer" or not is_right:
        return Response(status_code=401, headers={"www-authenticate": "Bearer", "cache-control": "no-store"})
    return Response(request.app.state.metrics.text(), media_type=CONTENT_TYPE, headers={"cache-control": "no-store"})


def answer(message: Readiness | Mapping[str, bool], status: int = 200) -> Response:
    """Answer with JSON that nobody keeps."""
    text = msgspec.json.encode(message)
    return Response(text, status, {"cache-control": "no-store"}, media_type="application/json")


def answering(question: Callable[[], Awaitable[bool]]) -> Part:
    """Return the part of something that says whether it answers."""

    async def part() -> PartState:
        answers = await question()
        return PartState(answers, "" if answers else "it does not answer")

    return part


def untroubled(question: Callable[[], Awaitable[str]]) -> Part:
    """Return the part of something that says what is wrong with it, if anything is."""

    async def part() -> PartState:
        trouble = await question()
        return PartState(not trouble, trouble)

    return part


def compiled(percent: Callable[[], int]) -> Part:
    """Return the part of a game whose rules are compiled beside; it is ready when it can be played."""

    async def part() -> PartState:
        done = percent()
        return PartState(done == 100, "" if done == 100 else "its rules are being compiled", done)

    return part


def bots(bot_pool: BotPool) -> Part:
    """Return the part that thinks for the bots; it is not ready before they are compiled, and while processes die."""

    async def part() -> PartState:
        if bot_pool.percent < 100:
            return PartState(False, "the bots are being compiled or loaded", bot_pool.percent)
        return PartState(not bot_pool.is_dying, "the thinking processes die" if bot_pool.is_dying else "")

    return part
