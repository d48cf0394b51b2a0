"""Many matches at once, in processes of their own; the results come in the order of the blocks."""

from __future__ import annotations

import multiprocessing
import random
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from smalti.arena.contest import Block, Contest
from smalti.arena.matches import Played, play_block
from smalti.arena.players import warm_up
from smalti.bots.training.crews import obey
from smalti.engine.errors import SmaltiError
from smalti.engine.match import Match

AHEAD = 2  # blocks that wait for each process, so that none stands idle
MOST_EVENTS = 200  # that getting ready may take to meet every kind of decision

Result = tuple[Block, list[Played]]


class Died(SmaltiError):
    """A process in which matches were played has died."""


def results(contest: Contest, blocks: Iterable[Block], workers: int) -> Generator[Result, None, None]:
    """Play blocks in this process or in several; with the same seed their number makes no difference."""
    get_ready(contest)  # here, too: what is wrong shows at once, and what must be compiled is compiled once
    if workers == 1:
        for block in blocks:
            yield block, play_block(contest, block)
        return
    known = multiprocessing.active_children()
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), begin, (contest,))
    try:
        yield from in_order(pool, contest, iter(blocks), workers * AHEAD)
    except BrokenProcessPool:
        raise Died("a process in which matches were played has died; is there enough memory?") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            if process not in known:
                process.terminate()


def in_order(pool: ProcessPoolExecutor, contest: Contest, blocks: Iterator[Block], ahead: int) -> Iterator[Result]:
    """Keep some blocks under way, and give back the oldest one when it is done."""
    waiting: deque[tuple[Block, Future[list[Played]]]] = deque()
    for block in islice(blocks, ahead):
        waiting.append((block, pool.submit(play_block, contest, block)))
    while waiting:
        block, future = waiting.popleft()
        yield block, future.result()
        for following in islice(blocks, 1):
            waiting.append((following, pool.submit(play_block, contest, following)))


def begin(contest: Contest) -> None:
    """Prepare a process."""
    obey()
    get_ready(contest)


def get_ready(contest: Contest) -> None:
    """Let everybody think a little about every kind of decision, so that no move is charged for loading."""
    match, luck, met = Match(contest.rules, contest.seats, dict(contest.options)), random.Random(0), set[str]()
    while not match.is_over and len(match.events) < MOST_EVENTS:
        if match.awaits_chance:
            match.draw(luck)
            continue
        seat = min(match.acting)
        legal = match.legal(seat)
        verbs = {text.partition(" ")[0] for text in legal}
        for name in set(contest.entrants) if verbs - met else ():
            warm_up(name, match, seat)
        met |= verbs
        match.play(seat, luck.choice(legal))
