"""Many matches at once, in processes of their own; the results come in the order of the blocks."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

from smalti.arena.contest import Block, Contest
from smalti.arena.matches import Played, play_block
from smalti.arena.players import warm_up
from smalti.bots.training.worker_pool import end_with_parent, process_pool
from smalti.engine.match import Match

AHEAD = 2  # blocks that wait for each process, so that none stands idle
MOST_EVENTS = 200  # that getting ready may take to meet every kind of decision

Result = tuple[Block, list[Played]]


def results(contest: Contest, blocks: Iterable[Block], workers: int) -> Generator[Result, None, None]:
    """Play blocks in this process or in several; with the same seed their number makes no difference."""
    get_ready(contest)  # here too: errors show at once, and what must be compiled is compiled only once
    if workers == 1:
        for block in blocks:
            yield block, play_block(contest, block)
        return
    with process_pool(workers, start_worker, contest) as pool:
        yield from in_order(pool, contest, iter(blocks), workers * AHEAD)


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


def start_worker(contest: Contest) -> None:
    """Prepare a worker process."""
    end_with_parent()
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
