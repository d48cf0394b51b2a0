"""Worker pools that play the games of a training: processes on this machine, or the machines of a cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from smalti import bots, games
from smalti.bots.learner import Learner, State
from smalti.engine.errors import BadInput, SmaltiError

Share = tuple[int, int]  # games to play, and the seed
NEW_LINE = "\n"


def learner_of(game: str) -> Learner:
    """Return a new learner of a game."""
    learning = bots.own_part(games.find(game).name, "learning")
    if not learning:
        raise BadInput(f"there is nothing that learns {game}")
    learner: Learner = learning.Learner()
    return learner


@cache
def own_learner(game: str) -> Learner:
    """Return the learner that this process works with."""
    return learner_of(game)


def learned(game: str, state: State, share: Share) -> State:
    """Learn from so many games on top of what is known, and return all that is known then."""
    learner = own_learner(game)
    learner.restore(state)
    learner.learn(*share)
    return learner.state()


class WorkerPool(Protocol):
    """Workers that learn at the same time."""

    size: int

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Let each of them learn a share on top of what is known, and return what each knows then."""

    def close(self) -> None:
        """End the workers."""


class Processes:
    """Processes on this machine."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pool = ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), end_with_parent)

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Learn the shares at the same time."""
        futures = [self.pool.submit(learned, game, state, share) for share in shares]
        return [future.result() for future in futures]

    def close(self) -> None:
        """End the processes."""
        self.pool.shutdown(wait=True, cancel_futures=True)


def writable(state: State) -> State:
    """Return copies of arrays: Ray's lie in shared memory that is read-only."""
    return {name: part.copy() for name, part in state.items()}


def learned_from_memory(game: str, state: State, share: Share) -> State:
    """Learn from so many games on top of what is known to all workers of Ray."""
    return learned(game, writable(state), share)


def cluster(size: int) -> dict[str, Any]:
    """Return the settings for `ray.init`: none for the cluster of `RAY_ADDRESS`, else this machine's share."""
    if os.environ.get("RAY_ADDRESS"):
        return {}
    here = {"address": "local", "num_cpus": size, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    return {**here, "_system_config": {"worker_niceness": 0}}  # Ray would run its workers at a low priority


class Ray:
    """Workers of Ray: on this machine, or on those of the cluster that `RAY_ADDRESS` names."""

    def __init__(self, size: int) -> None:
        if not find_spec("ray"):
            raise BadInput("--ray needs Ray: pip install 'smalti[ray]'")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
        self.size, self.ray = size, import_module("ray")
        try:
            self.ray.init(log_to_driver=False, logging_level="ERROR", **cluster(size))
        except (OSError, RuntimeError, ValueError) as error:
            raise BadInput(f"Ray cannot be started: {str(error).strip().partition(NEW_LINE)[0]}") from None
        self.task: Any = self.ray.remote(learned_from_memory)

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Learn the shares at the same time; what is known travels to each machine once."""
        known = self.ray.put(state)
        return [writable(state) for state in self.ray.get([self.task.remote(game, known, share) for share in shares])]

    def close(self) -> None:
        """Leave the cluster."""
        self.ray.shutdown()


# --- Processes that end with the one that started them


class Died(SmaltiError):
    """A worker process has died."""


@contextmanager
def process_pool(size: int, initializer: Callable[..., None], *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes that are ended at once when the work is done or broken off."""
    known = multiprocessing.active_children()
    pool = ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), initializer, arguments)
    try:
        yield pool
    except BrokenProcessPool:
        raise Died("a worker process has died; is there enough memory?") from None
    finally:
        for process in multiprocessing.active_children():
            if process not in known:
                process.terminate()
        # Waited for: at the end of Python its thread might close the pipe that Python still wakes it by.
        pool.shutdown(wait=True, cancel_futures=True)


def end_with_parent() -> None:
    """Let this process end with its parent, and not by Ctrl+C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch_parent, daemon=True).start()


def watch_parent() -> None:
    """End this process when its parent is gone, even if that was killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(0)
