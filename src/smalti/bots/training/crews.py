"""Who plays the games of a training: this process, several of them, or the machines of a cluster."""

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

from smalti import games
from smalti.bots.learner import Learner, State
from smalti.engine.errors import BadInput, SmaltiError

Share = tuple[int, int]  # games to play, and the seed
NEW_LINE = "\n"


def learner_of(game: str) -> Learner:
    """Return a new learner of a game."""
    name = f"smalti.bots.{games.find(game).name}.learning"
    if not find_spec(name):
        raise BadInput(f"there is nothing that learns {game}")
    learner: Learner = import_module(name).Learner()
    return learner


@cache
def apprentice(game: str) -> Learner:
    """Return the learner that this process works with."""
    return learner_of(game)


def learned(game: str, state: State, share: Share) -> State:
    """Learn from so many games on top of what is known, and return all that is known then."""
    learner = apprentice(game)
    learner.restore(state)
    learner.learn(*share)
    return learner.state()


class Crew(Protocol):
    """Several who learn at the same time."""

    size: int

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Let each of them learn a share on top of what is known, and return what each knows then."""

    def leave(self) -> None:
        """Go home."""


class Processes:
    """Processes on this machine."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pool = ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), obey)

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Learn the shares at the same time."""
        futures = [self.pool.submit(learned, game, state, share) for share in shares]
        return [future.result() for future in futures]

    def leave(self) -> None:
        """End the processes."""
        self.pool.shutdown(wait=True, cancel_futures=True)


def own(state: State) -> State:
    """Return arrays that are nobody else's: Ray's lie in memory that all share and nobody may write to."""
    return {name: part.copy() for name, part in state.items()}


def learned_from_memory(game: str, state: State, share: Share) -> State:
    """Learn from so many games on top of what is known to all workers of Ray."""
    return learned(game, own(state), share)


def cluster(size: int) -> dict[str, Any]:
    """Return what Ray must know: nothing of a cluster that is there, of this machine how much of it to take."""
    if os.environ.get("RAY_ADDRESS"):
        return {}
    here = {"address": "local", "num_cpus": size, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    return {**here, "_system_config": {"worker_niceness": 0}}  # not after everything else that runs here


class Ray:
    """Workers of Ray: on this machine, or on those of the cluster that `RAY_ADDRESS` names."""

    def __init__(self, size: int) -> None:
        if not find_spec("ray"):
            raise BadInput("--ray needs Ray: pip install 'smalti[ray]'")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing of ours is sent to anybody
        self.size, self.ray = size, import_module("ray")
        try:
            self.ray.init(log_to_driver=False, logging_level="ERROR", **cluster(size))
        except (OSError, RuntimeError, ValueError) as error:
            raise BadInput(f"Ray cannot be started: {str(error).strip().partition(NEW_LINE)[0]}") from None
        self.task: Any = self.ray.remote(learned_from_memory)

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        """Learn the shares at the same time; what is known travels to each machine once."""
        known = self.ray.put(state)
        return [own(state) for state in self.ray.get([self.task.remote(game, known, share) for share in shares])]

    def leave(self) -> None:
        """Leave the cluster."""
        self.ray.shutdown()


# --- Processes that do as they are told


class Died(SmaltiError):
    """A process that worked for this one has died."""


@contextmanager
def obedient(size: int, begin: Callable[..., None], *words: object) -> Iterator[ProcessPoolExecutor]:
    """Give processes that begin like this, and end at once when the work is done or broken off."""
    known = multiprocessing.active_children()
    pool = ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), begin, words)
    try:
        yield pool
    except BrokenProcessPool:
        raise Died("a process that was at work has died; is there enough memory?") from None
    finally:
        for process in multiprocessing.active_children():
            if process not in known:
                process.terminate()
        # Waited for: at the end of Python its thread might close the pipe that Python still wakes it by.
        pool.shutdown(wait=True, cancel_futures=True)


def obey() -> None:
    """Let this process end with the one that started it, and only then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End this process when the one that started it is gone, even if it was killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(0)
