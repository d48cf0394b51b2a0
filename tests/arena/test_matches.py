"""Matches of the arena are fair: the same luck for everybody, on every seat."""

from __future__ import annotations

import json
import multiprocessing
import threading

import pytest

from smalti import bots, games
from smalti.arena.contest import Block, Contest, block_size, blocks_of, pairs_of, seatings_of
from smalti.arena.matches import Played, play_block, play_match
from smalti.arena.parallel import results
from smalti.bots.bot import Bot, Budget, Seen, Thought
from smalti.bots.training.worker_pool import Died, end_with_parent, process_pool
from smalti.bots.weights import NoWeights
from smalti.engine.records import parse, verify


def chances(played: Played) -> list[str]:
    """List what chance did in a match."""
    return [event["do"] for event in json.loads(played.line)["events"] if event["by"] is None]


def facts(played: Played) -> tuple[object, ...]:
    """Return all of a match but the time it took."""
    return played.seating, played.scores, played.shares, played.line


def everything(contest: Contest, workers: int) -> list[tuple[object, ...]]:
    """Play three deals in so many processes."""
    return [facts(match) for _, block in results(contest, blocks_of(contest, 3), workers) for match in block]


def test_everybody_sits_everywhere() -> None:
    assert seatings_of((0, 1), 2) == ((0, 1), (1, 0))
    assert seatings_of((2, 0), 3) == ((2, 0, 0), (0, 2, 0), (0, 0, 2))
    assert seatings_of((0, 1), 3, mixed=True)[3:] == ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    assert seatings_of((4, 4), 1) == ((4,),)
    tournament = Contest("patterns", 2, ("random", "greedy", "search"))
    assert pairs_of(tournament) == [(0, 1), (0, 2), (1, 2)]
    assert len(list(blocks_of(tournament, 4))) == 12
    assert block_size(Contest("mozaika", 4, ("random", "greedy"), mixed=True)) == 12


def test_entrants_of_one_name_are_told_apart() -> None:
    assert Contest("patterns", 2, ("random", "greedy", "random")).labels == ["random", "greedy", "random (2)"]


@pytest.mark.parametrize(("game", "seats"), [("patterns", 2), ("mosaix", 2), ("mosaix", 3), ("mozaika", 3)])
def test_a_deal_is_the_same_for_every_seating(game: str, seats: int) -> None:
    contest = Contest(game, seats, ("greedy", "random"), seed=5, keeps_records=True)
    block, other = (play_block(contest, Block((0, 1), deal, seatings_of((0, 1), seats))) for deal in (0, 1))
    drawn = [chances(match) for match in block]
    same = 3 if game == "mozaika" else min(map(len, drawn))  # a tile that nobody picks goes back into the bag
    assert all(one[:same] == drawn[0][:same] for one in drawn)
    assert chances(other[0]) != drawn[0]
    assert len({match.line for match in block}) == seats


def test_records_of_the_arena_verify_and_say_who_played() -> None:
    contest = Contest("mozaika", 3, ("greedy", "random"), seed=2, keeps_records=True)
    played = play_match(contest, 4, (1, 0, 1))
    record = parse(played.line)
    assert verify(record, games.find).scores == played.scores
    assert record.extra == {"bots": ["random", "greedy", "random"], "arena": {"seed": 2, "deal": 4}}
    assert sum(played.shares) == 1
    assert all(clock.moves > 10 and clock.most <= clock.seconds for clock in played.clocks)


def test_the_same_seed_gives_the_same_matches_whatever_the_number_of_processes() -> None:
    contest = Contest("patterns", 2, ("greedy", "random"), seed=9, keeps_records=True)
    alone, together = (everything(contest, workers) for workers in (1, 2))
    assert alone == together
    other = Contest("patterns", 2, ("greedy", "random"), seed=10, keeps_records=True)
    assert facts(play_match(other, 0, (0, 1))) != alone[0]


def test_nodes_are_counted_as_far_as_somebody_tells() -> None:
    played = play_match(Contest("mosaix", 2, ("mcts@20n", "random")), 0, (0, 1))
    assert played.clocks[0].nodes > 20
    assert played.clocks[0].nodes % 20 == 0
    assert played.clocks[1].nodes == 0


def test_two_of_the_same_name_have_luck_of_their_own() -> None:
    contest = Contest("patterns", 2, ("random", "random"), seed=1, keeps_records=True)
    first, second = (play_match(contest, 0, seating) for seating in ((0, 1), (1, 0)))
    assert json.loads(first.line)["events"] != json.loads(second.line)["events"]


def test_whoever_has_proved_the_end_plays_it_for_everybody() -> None:
    entrants = ("strongest@50000n", "greedy")
    plain, settled = (Contest("patterns", 2, entrants, 3, keeps_records=True, settles=each) for each in (False, True))
    asked, shorter = play_match(plain, 0, (0, 1)), play_match(settled, 0, (0, 1))
    assert 0 < shorter.clocks[1].moves < asked.clocks[1].moves
    assert 0 < shorter.clocks[0].nodes < asked.clocks[0].nodes
    ours, theirs = (json.loads(each.line)["events"] for each in (asked, shorter))
    together = sum(clock.moves for clock in shorter.clocks) + 1  # and the deal
    assert ours[:together] == theirs[:together]
    assert verify(parse(shorter.line), games.find).scores == shorter.scores


def test_who_plays_everybodys_moves_is_nothing_the_better_for_it() -> None:
    entrants = ("strongest@50000n", "greedy")
    for deal in range(3):
        asked, settled = (
            play_match(Contest("patterns", 2, entrants, 3, settles=each), deal, (0, 1)) for each in (False, True)
        )
        lead, proved = (match.scores[0] - match.scores[1] for match in (asked, settled))
        assert proved <= lead


@pytest.mark.parametrize("waited", [0, 1, 4])
def test_nothing_is_left_of_processes_that_are_let_go(waited: int) -> None:
    """Neither a process nor a thread of the pool, which could trip over a closed pipe when Python ends."""
    processes, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    with process_pool(2, end_with_parent) as pool:
        waiting = [pool.submit(abs, number) for number in range(4)]
        for future in waiting[:waited]:
            future.result()
    assert set(multiprocessing.active_children()) <= processes
    assert set(threading.enumerate()) <= threads


def test_a_process_that_dies_is_told() -> None:
    contest = Contest("patterns", 2, ("greedy", "random"))
    running = results(contest, blocks_of(contest, 10**6), 2)
    next(running)
    for process in multiprocessing.active_children():
        process.kill()
    with pytest.raises(Died, match="has died"):
        list(running)


def test_a_bot_without_its_weights_does_not_let_another_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(seen: Seen, budget: Budget) -> Thought:
        raise NoWeights("somebody", "are missing")

    monkeypatch.setattr(bots, "find", lambda name, game: Bot(name, 1, forgetful))
    contest = Contest("patterns", 2, ("greedy", "random"))
    with pytest.raises(NoWeights, match="are missing"):
        next(results(contest, blocks_of(contest, 1), 1))
