"""`smalti analyse`, as a person or a program would call it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from smalti import bots, games
from smalti.bots.review import judge
from smalti.cli.screen import plots
from smalti.engine.records import record_of
from tests.bots.test_review import shortsighted
from tests.cli.conftest import Run
from tests.support import random_match


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "think", shortsighted)
    monkeypatch.setattr(judge, "own_expectation", lambda game: None)


def record(folder: Path, game: str, seats: int, events: int = 10**9) -> Path:
    file = folder / f"{game}.json"
    file.write_text(record_of(random_match(games.find(game), seats, {}, random.Random(4), events)).text())
    return file


@pytest.mark.parametrize(("game", "seats"), [("patterns", 2), ("mosaix", 1), ("mozaika", 3)])
def test_a_game_is_judged_in_words(game: str, seats: int, run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "course.svg"
    code, out, err = run("analyse", record(tmp_path, game, seats), "--bot", "greedy", "--plot", picture)
    assert code == 0
    assert "judged by greedy" in out
    assert out.count("expected at the start") == seats
    assert ("brought by the others" in out) == (seats > 1)
    assert ("brought by what was sealed" in out) == (game == "mozaika")
    assert "lucky" in out
    assert "judging" in err
    assert picture.read_text().startswith("<?xml")


def test_a_game_is_judged_as_json(run: Run, tmp_path: Path) -> None:
    file = record(tmp_path, "patterns", 2)
    found = json.loads(run("analyse", file, "--bot", "greedy", "--json", "--seat", 1).out)
    assert len(found["events"]) == len(json.loads(file.read_text())["events"])
    assert found["events"][0]["luck"].keys() == {"1"}
    decision = found["events"][2]
    assert decision["best"][0].keys() == {"do", "points", "chance"}
    assert decision["cost"]["points"] <= 0
    (seat,) = found["seats"]
    parts = [seat[part]["points"] for part in ("start", "luck", "skill", "gifts", "sealed", "unclear")]
    assert sum(parts) == pytest.approx(seat["result"]["points"])


def test_the_usual_judge_is_the_strongest_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bots.strongest("patterns") == "strongest"
    monkeypatch.setattr(bots, "names", lambda game: ["random", "mcts"])
    assert bots.strongest("patterns") == "mcts"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.json"], "cannot read 'nowhere.json'"),
        (["patterns.json", "--bot", "clever"], "there is no bot 'clever' for patterns"),
        (["patterns.json", "--bot", "greedy@0n"], "a budget must be more than nothing"),
        (["patterns.json", "--bot", "greedy", "--seat", "2"], "there is no seat 2"),
        (["patterns.json", "--bot", "greedy", "--plot", "x.gif"], "must end with .png or .svg"),
        (["empty.json", "--bot", "greedy"], "nothing has happened in this game"),
        (["nonsense.json"], "not JSON"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_one_line(
    words: list[str], message: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record(tmp_path, "patterns", 2)
    Path("empty.json").write_text(record_of(random_match(games.find("patterns"), 2, {}, random.Random(4), 0)).text())
    Path("nonsense.json").write_text("nonsense")
    code, out, err = run("analyse", *words)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]


def test_a_record_against_the_rules_ends_with_1(run: Run, tmp_path: Path) -> None:
    file = record(tmp_path, "patterns", 2)
    document = json.loads(file.read_text())
    document["scores"] = [1, 2]
    file.write_text(json.dumps(document))
    code, _, err = run("analyse", file)
    assert code == 1
    assert "The record gives the scores" in err
    document["events"][2]["do"] = "open a5"
    document["events"][3]["do"] = "open a5"
    file.write_text(json.dumps(document))
    assert run("analyse", file).code == run("verify", file).code


def test_without_matplotlib_it_says_what_to_install(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    file = record(tmp_path, "patterns", 2)
    assert "pip install 'smalti[plots]'" in run("analyse", file, "--bot", "greedy", "--plot", "x.png").err


def test_help_has_examples(run: Run) -> None:
    assert "smalti analyse " in run("analyse", "--help").out
