"""What is counted and timed, for Prometheus. Every application has a registry of its own.

Labels come from short lists that are known beforehand: games, bots, refusals, routes. Whatever is looked up for every
move is looked up once and kept.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE

from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Play
from smalti.server.tasks import RESTARTED

__all__ = ["CONTENT_TYPE", "ErrorCounter", "LoopLag", "Metrics"]

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
SLOW = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200)
LOOK = 0.5  # seconds between two looks at the event loop
RECENT = 30  # looks that the largest lag is found among

Buckets = tuple[float, ...]


class Instruments:
    """Makes counters, gauges and histograms of one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry

    def counter(self, name: str, what: str, *labels: str) -> Callable[..., Counter]:
        """Return a counter, to be asked for by its labels."""
        return cache(Counter(f"smalti_{name}", what, labels, registry=self.registry).labels)

    def gauge(self, name: str, what: str) -> Gauge:
        """Return a gauge."""
        return Gauge(f"smalti_{name}", what, registry=self.registry)

    def histogram(self, name: str, what: str, buckets: Buckets, *labels: str) -> Histogram:
        """Return a histogram."""
        return Histogram(f"smalti_{name}", what, labels, buckets=buckets, registry=self.registry)


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        make = Instruments(self.registry)
        self.moves = make.counter("moves", "Decisions of seats that were stored.", "game")
        self.refusals = make.counter("refusals", "Messages of pages that were refused.", "reason")
        self.errors = make.counter("errors", "Errors that were logged.", "where")
        self.restarts = make.counter(
            "restarts", "Tasks and processes that ended unexpectedly and were begun anew.", "task"
        )
        self.requests = make.counter("requests", "Answers to requests.", "route", "status")
        self.move_latency = make.histogram("told_seconds", "From the receipt of a move until its page was told.", FAST)
        self.batches = make.histogram("store_writes", "Writes in one transaction.", SIZES)
        self.storing = make.histogram("store_seconds", "How long a transaction took.", FAST)
        thinking = make.histogram("thinking_seconds", "How long a bot took, waiting included.", SLOW, "bot")
        self.thinking_of: Callable[[str], Histogram] = cache(thinking.labels)
        self.thoughts = make.gauge("thoughts_waiting", "Bots that wait for their move or think about it.")
        self.connections = make.gauge("connections", "Open connections of pages.")
        self.rooms = make.gauge("rooms", "Tables in memory.")
        self.lag = make.gauge(
            "loop_lag_seconds", "By how much the event loop was late, at most, in the last 15 seconds."
        )

    @contextmanager
    def thinking(self, bot: str) -> Iterator[None]:
        """Time a bot, and count it among those that wait."""
        began = time.perf_counter()
        self.thoughts.inc()
        try:
            yield
        finally:
            self.thoughts.dec()
            self.thinking_of(bot.partition("@")[0]).observe(time.perf_counter() - began)

    @contextmanager
    def writing(self, size: int) -> Iterator[None]:
        """Time a transaction with so many writes."""
        began = time.perf_counter()
        yield
        self.batches.observe(size)
        self.storing.observe(time.perf_counter() - began)

    def count_moves(self, game: str, entries: list[Entry]) -> None:
        """Count the decisions of seats among what was stored."""
        for entry in entries:
            if isinstance(entry.what, Play) and entry.seat is not None:
                self.moves(game).inc()

    def text(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self.registry)


class LoopLag:
    """Looks again and again by how much the event loop is late."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics, self.recent = metrics, deque[float](maxlen=RECENT)

    async def run(self) -> None:
        """Measure for ever."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LOOK)
            self.recent.append(max(0.0, time.perf_counter() - began - LOOK))
            self.metrics.lag.set(max(self.recent))


class ErrorCounter(logging.Handler):
    """Counts whatever is logged as an error, by the module that says so, and the tasks that are begun anew."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.ERROR)
        self.metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        """Count an error that was logged, and the task that it restarted, if any."""
        self.metrics.errors(record.name).inc()
        task = getattr(record, RESTARTED, None)
        if task:
            self.metrics.restarts(task).inc()

    def __enter__(self) -> None:
        logging.getLogger().addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
