"""Bots at one table: they think when they must act, and act through the same door as everybody."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Protocol

from smalti.engine.errors import SmaltiError
from smalti.server.table.log import Log
from smalti.server.workers.bot_pool import BotPool, Crowded, Overtaken

RETRY_SECONDS = 1.0

logger = logging.getLogger(__name__)


class BotTable(Protocol):
    """A table at which bots sit."""

    log: Log

    @property
    def lets_bots_play(self) -> bool:
        """Whether bots may go on now."""

    async def play(self, seat: int, do: str | list[str], number: int) -> None:
        """Let a seat act, in answer to the state of that number."""


class SeatedBots:
    """The bots at a table, and what they think about.

    The table is given anew each time: two objects that hold each other would outlive the last one who needs them.
    """

    def __init__(self, pool: BotPool, pause: float) -> None:
        self.pool, self.pause = pool, pause
        self.thinking: dict[int, asyncio.Task[None]] = {}  # by seat

    def think(self, room: BotTable) -> None:
        """Let the bots that must act think, each once."""
        if not room.lets_bots_play:
            return
        for seat in room.log.acting:
            if room.log.seats[seat].kind == "bot" and seat not in self.thinking:
                self.thinking[seat] = asyncio.create_task(self.think_and_act(room, seat))

    async def think_and_act(self, room: BotTable, seat: int) -> None:
        """Let a bot choose, after a moment, and act; then the next ones, or this one again if it could not."""
        log = room.log
        is_wanted = partial(is_awaited, room, seat, log.asked[seat])
        try:
            choice = self.pool.choose(log, seat, is_wanted=is_wanted)
            chosen, _ = await asyncio.gather(choice, asyncio.sleep(self.pause))
            await act(room, seat, chosen, log.asked[seat])
        except Overtaken:
            pass  # somebody went back, came back or gave up meanwhile
        except Crowded:
            await asyncio.sleep(RETRY_SECONDS)  # the others have their turn first
        except Exception as error:
            if is_wanted():  # else another process was first
                known = isinstance(error, SmaltiError)
                logger.warning("%s, bot on seat %d: %s", log.facts.id, seat, error, exc_info=None if known else error)
                await asyncio.sleep(RETRY_SECONDS)  # a full disk or a dead process may have been mended by then
        finally:
            del self.thinking[seat]
        self.think(room)


def is_awaited(room: BotTable, seat: int, asked: int) -> bool:
    """Say whether the bot on a seat still has to make the decision of that number."""
    log = room.log
    is_asked = seat in log.acting and log.asked[seat] == asked and log.seats[seat].kind == "bot"
    return is_asked and room.lets_bots_play


async def act(room: BotTable, seat: int, do: str, number: int) -> None:
    """Let a bot act, unless the table has moved on from what it thought about."""
    log = room.log
    if log.ended or log.is_paused or log.seats[seat].kind != "bot" or number < log.asked[seat]:
        raise Overtaken
    await room.play(seat, do, number)
