"""Training can be stopped, goes on where it was, and depends on the seed only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smalti import bots, games
from smalti.bots import weights
from smalti.bots.learner import State
from smalti.bots.training import Course, Processes, Ray, WorkerPool, learner_of, worker_pool
from smalti.bots.training.course import ROUNDS_BETWEEN
from smalti.bots.training.worker_pool import Share
from smalti.engine.errors import BadInput
from tests.bots import toy_learner

Make = Callable[..., Course]


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Return what makes courses of the toy."""
    toy_learner.install(monkeypatch)
    worker_pool.own_learner.cache_clear()
    yield lambda seed=1, games_a_round=4: Course("mosaix", learner_of("mosaix"), seed, games_a_round, 5)
    worker_pool.own_learner.cache_clear()


class TwoHere:
    """Two who learn, one after the other in this process."""

    def __init__(self, size: int = 2) -> None:
        self.size = size
        self.shares: list[list[Share]] = []

    def learned(self, game: str, state: State, shares: list[Share]) -> list[State]:
        self.shares.append(shares)
        return [worker_pool.learned(game, state, share) for share in shares]

    def close(self) -> None:
        pass


def run(taught: Course, goal: int, path: Path, pool: WorkerPool | None = None, stop_after: int = 10**9) -> list[int]:
    """Train, and return the games of each round."""
    rounds: list[int] = []
    taught.run(lambda _: len(rounds) >= stop_after, goal, pool, path, lambda _, games: rounds.append(games))
    return rounds


def known(taught: Course) -> dict[str, object]:
    return {name: part.tolist() for name, part in taught.learner.state().items()}


def test_rounds_lead_to_the_goal(course: Make, tmp_path: Path) -> None:
    taught = course()
    assert run(taught, 10, tmp_path / "c.npz") == [4, 4, 2]
    assert taught.learner.games == taught.games == 10
    assert [games for games, _ in taught.curve] == [0, 10]


def test_it_gets_better_and_is_measured_now_and_then(course: Make, tmp_path: Path) -> None:
    taught = course(games_a_round=1)
    run(taught, 2 * ROUNDS_BETWEEN, tmp_path / "c.npz")
    assert [games for games, _ in taught.curve] == [0, ROUNDS_BETWEEN, 2 * ROUNDS_BETWEEN]
    assert taught.curve[-1][1] < taught.curve[0][1]


def test_a_course_that_was_stopped_learns_the_same_as_one_that_was_not(course: Make, tmp_path: Path) -> None:
    whole, path = course(), tmp_path / "c.npz"
    run(whole, 14, tmp_path / "whole.npz")
    run(course(), 14, path, stop_after=2)
    resumed = Course.resumed(path, "mosaix")
    assert resumed.games == 8
    run(resumed, 14, path)
    assert known(resumed) == known(whole)
    assert resumed.curve[-1] == whole.curve[-1]


def test_the_weights_depend_on_the_seed_only(course: Make, tmp_path: Path) -> None:
    files = []
    for number, seed in enumerate((1, 1, 2)):
        taught = course(seed)
        run(taught, 9, tmp_path / "c.npz")
        files.append(tmp_path / f"{number}.npz")
        taught.write_weights(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes() != files[2].read_bytes()
    assert weights.read(files[0], "toy", 3)["worth"].shape == (1,)


def test_a_pool_shares_every_round(course: Make, tmp_path: Path) -> None:
    taught, pool = course(games_a_round=5), TwoHere()
    run(taught, 11, tmp_path / "c.npz", pool)
    assert [[games for games, _ in shares] for shares in pool.shares] == [[3, 2], [3, 2], [1]]
    assert len({seed for shares in pool.shares for _, seed in shares}) == 5
    assert taught.games == 11


def test_processes_learn_together() -> None:
    taught = Course("patterns", learner_of("patterns"), 1, 6, 2)
    pool = Processes(2)
    try:
        taught.learn(6, pool)
        taught.learn(1, pool)
    finally:
        pool.close()
    assert taught.games == 7


@pytest.mark.parametrize("game", [game for game in games.names() if bots.own_part(game, "learning")])
def test_what_learns_a_game_can_be_stopped_and_goes_on(game: str, tmp_path: Path) -> None:
    whole, path = Course(game, learner_of(game), 5, 3, 2), tmp_path / "c.npz"
    run(whole, 6, tmp_path / "whole.npz")
    run(Course(game, learner_of(game), 5, 3, 2), 6, path, stop_after=1)
    resumed = Course.resumed(path, game)
    run(resumed, 6, path)
    assert known(resumed) == known(whole)
    resumed.write_weights(tmp_path / "one.npz")
    whole.write_weights(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_what_is_no_checkpoint_is_refused(course: Make, tmp_path: Path) -> None:
    path, other = tmp_path / "c.npz", tmp_path / "other.npz"
    with pytest.raises(BadInput, match="there is no checkpoint"):
        Course.resumed(path, "mosaix")
    path.write_bytes(b"PK nonsense")
    with pytest.raises(BadInput, match="is not a checkpoint"):
        Course.resumed(path, "mosaix")
    run(course(), 2, other)
    other.write_bytes(other.read_bytes()[:-40])
    with pytest.raises(BadInput, match="damaged"):
        Course.resumed(other, "mosaix")
    run(course(), 2, other)
    with pytest.raises(BadInput, match="is a checkpoint of 'mosaix', not of patterns"):
        Course.resumed(other, "patterns")


def test_a_checkpoint_of_other_features_is_refused(
    course: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(course(), 2, tmp_path / "c.npz")
    monkeypatch.setattr(toy_learner.ToyLearner, "version", 4)
    with pytest.raises(BadInput, match="of version 3 of the features; they are at 4"):
        Course.resumed(tmp_path / "c.npz", "mosaix")


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'smalti\[ray\]'"):
        Ray(2)


def test_a_cluster_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def init(self, **words: object) -> None:
            raise ConnectionError("nobody answers\nTraceback and so on")

    monkeypatch.setattr(worker_pool, "find_spec", lambda name: True)
    monkeypatch.setattr(worker_pool, "import_module", lambda name: Broken())
    monkeypatch.setenv("RAY_ADDRESS", "192.0.2.1:6379")
    with pytest.raises(BadInput, match=r"^Ray cannot be started: nobody answers$"):
        Ray(2)
    assert worker_pool.cluster(2) == {}
