"""`smalti train`, as a person or a program would call it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from smalti import bots
from smalti.bots import weights
from smalti.bots.training import Course, worker_pool
from smalti.cli import train
from smalti.cli.screen import plots
from tests.bots import toy_learner
from tests.bots.test_training import TwoHere
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    toy_learner.install(monkeypatch)
    worker_pool.own_learner.cache_clear()
    monkeypatch.chdir(tmp_path)


def test_it_learns_and_writes_weights(run: Run) -> None:
    code, out, err = run("train", "mosaix", "--measure", 5, "--plot", "curve.svg")
    assert code == 0
    assert "mosaix: 40 games, distance from the mean score" in out
    assert "0 games:" in err
    assert weights.read(Path("toy.npz"), "toy", 3)["worth"][0] > 0
    assert Path("curve.svg").read_text().startswith("<?xml")


def test_one_command_always_gives_the_same_weights(run: Run) -> None:
    for out in ("one.npz", "two.npz"):
        found = json.loads(run("train", "mosaix", "--seed", 7, "--measure", 5, "--out", out, "--json").out)
        assert (found["games"], found["seed"], found["weights"]) == (40, 7, out)
        assert found["curve"][-1] == [40, found["measured"]]
    assert Path("one.npz").read_bytes() == Path("two.npz").read_bytes()


def test_interrupted_it_leaves_a_checkpoint_and_the_same_command_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("train", "mosaix", "--seed", 7, "--measure", 5, "--out", "one.npz")
    learn = Course.learn

    def interrupted(course: Course, games: int, pool: worker_pool.WorkerPool | None) -> None:
        learn(course, games, pool)
        if course.games == 6:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Course, "learn", interrupted)
        code, _, err = run(*words)
    assert code == 130
    assert "ending this round" in err
    assert Course.resumed(Path("one.checkpoint.npz"), "mosaix").games == 6
    assert run(*words).code == 0
    assert run(*words[:-1], "two.npz").code == 0
    assert Path("one.npz").read_bytes() == Path("two.npz").read_bytes()


def test_it_goes_on_from_another_checkpoint(run: Run) -> None:
    assert run("train", "mosaix", "--games", 10, "--measure", 5, "--out", "first.npz").code == 0
    words = ("--games", 5, "--measure", 5, "--from", "first.checkpoint.npz", "--out", "second.npz", "--json")
    assert json.loads(run("train", "mosaix", *words).out)["games"] == 15


def test_minutes_are_enough(run: Run) -> None:
    found = json.loads(run("train", "mosaix", "--minutes", 0.001, "--measure", 5, "--json").out)
    assert found["games"] >= 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "there is no game 'chess'"),
        (["mosaix", "--games", "0"], "--games must be from 1"),
        (["mosaix", "--minutes", "0"], "--minutes must be above 0"),
        (["mosaix", "--games", "5", "--minutes", "1"], "not both"),
        (["mosaix", "--workers", "0"], "--workers must be from 1"),
        (["mosaix", "--seed", "-1"], "--seed must be from 0"),
        (["mosaix", "--measure", "0"], "--measure must be from 1"),
        (["mosaix", "--out", "weights.txt"], "ends with .npz"),
        (["mosaix", "--out", "no/such/w.npz"], "there is no folder"),
        (["mosaix", "--from", "nowhere.npz"], "there is no checkpoint 'nowhere.npz'"),
        (["mosaix", "--plot", "x.gif"], "must end with .png or .svg"),
    ],
)
def test_what_makes_no_sense_is_refused_with_one_line(words: list[str], message: str, run: Run) -> None:
    code, out, err = run("train", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_checkpoint_of_another_seed_is_not_overwritten(run: Run) -> None:
    assert run("train", "mosaix", "--games", 4, "--measure", 5).code == 0
    code, _, err = run("train", "mosaix", "--games", 4, "--measure", 5, "--seed", 1)
    assert code == 2
    assert "was made with seed 0, not 1" in err


def test_what_nobody_learns_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "find_spec", lambda name: None)
    assert "there is nothing that learns mosaix" in run("train", "mosaix").err


def test_without_matplotlib_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    assert "pip install 'smalti[plots]'" in run("train", "mosaix", "--plot", "x.png").err


@pytest.fixture
def local_ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Ray run on this machine alone, and leave nothing behind."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with TemporaryDirectory(prefix="ray") as folder:  # not pytest's: names of sockets must be short
        monkeypatch.setenv("RAY_TMPDIR", folder)
        yield


@pytest.mark.nightly
@pytest.mark.usefixtures("local_ray")
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray, of the dependency group `nightly`, is not installed")
def test_two_workers_of_ray_learn_what_two_others_learn(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("train", "patterns", "--games", 5, "--measure", 1, "--workers", 2)
    code, out, err = run(*words, "--ray", "--out", "ray.npz")
    assert code == 0, err
    assert "patterns: 5 games" in out
    monkeypatch.setattr(train, "Processes", TwoHere)
    assert run(*words, "--out", "here.npz").code == 0
    assert Path("ray.npz").read_bytes() == Path("here.npz").read_bytes()


def test_help_has_examples(run: Run) -> None:
    assert "smalti train " in run("train", "--help").out
