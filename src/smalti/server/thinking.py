"""Where bots think: in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from smalti import bots, games
from smalti.server.dealer import luck_of_bot
from smalti.server.log import Log

logger = logging.getLogger(__name__)
ATTEMPTS = 3


def begin() -> None:
    """Get ready, once in each process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is time to go
    threading.Thread(target=go_with_the_server, daemon=True).start()
    threading.Thread(target=load, daemon=True).start()


def load() -> None:
    """Load what all bots need, while the first of them may think already."""
    for name in games.names():
        bots.warm(name)


def go_with_the_server() -> None:
    """End this process when the server is gone, even if it was killed."""
    server = multiprocessing.parent_process()
    assert server
    server.join()
    os._exit(0)


class Thinkers:
    """Processes that choose moves; a bot gets what its seat may see and nothing else."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.pool = self.new_pool()

    def new_pool(self) -> ProcessPoolExecutor:
        """Return fresh processes."""
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.processes, mp_context=spawn, initializer=begin)

    def start(self) -> None:
        """Get ready before the first bot is asked."""
        self.pool.submit(bool)

    async def choose(self, log: Log, seat: int, stand_in: str | None = None) -> str:
        """Let the bot on this seat choose a move, or one that stands in for a person."""
        bot = stand_in or log.seats[seat].bot
        assert bot
        seen, facts = log.match.seen_by(seat).tobytes(), log.facts
        luck = luck_of_bot(facts.secret, facts.id, seat)
        for attempt in range(ATTEMPTS):
            pool = self.pool
            try:
                return await asyncio.get_running_loop().run_in_executor(
                    pool, bots.choose, bot, facts.game, seen, seat, luck
                )
            except BrokenProcessPool:
                logger.warning("a thinking process died; attempt %d", attempt + 1)
                if self.pool is pool:
                    self.pool = self.new_pool()
        raise RuntimeError("the thinking processes die again and again")

    def stop(self) -> None:
        """Let everybody go home."""
        self.pool.shutdown(wait=False, cancel_futures=True)
