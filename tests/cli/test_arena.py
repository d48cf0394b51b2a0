"""`smalti arena`, as a person or a program would call it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from smalti.cli import arena
from smalti.cli.screen import plots
from tests.cli.conftest import Run


def test_two_bots_are_compared(run: Run, tmp_path: Path) -> None:
    file, picture = tmp_path / "games.jsonl", tmp_path / "elo.svg"
    words = ("--games", 20, "--seed", 3, "--workers", 1, "--records", file, "--plot", picture)
    code, out, err = run("arena", "patterns", "greedy", "random", *words)
    assert code == 0
    assert "greedy – random" in out
    assert "par 50.0%" in out
    assert "playing, 20 of 20 games" in err
    assert run("verify", file).out.count("ok patterns 2") == 20
    assert picture.read_text().startswith("<?xml")


def test_the_result_as_json_is_the_same_with_the_same_seed(run: Run) -> None:
    words = ("arena", "mosaix", "greedy", "random", "--games", 9, "--seats", 3, "--workers", 1, "--json")
    one, two = (json.loads(run(*words).out) for _ in range(2))
    assert one.pop("ms a move").keys() == two.pop("ms a move").keys() == {"greedy", "random"}
    assert one == two
    met = one["encounters"][0]
    assert (one["games"], met["blocks"], met["par"]) == (9, 3, pytest.approx(1 / 3))
    assert met["won"] + met["shared"] + met["lost"] == 9
    assert met["points"]["value"] > 0
    assert one["forfeits"] == one["table"] == []


def test_a_tournament_is_a_table_anchored_at_random(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "elo.png"
    words = ("--games", 6, "--workers", 1, "--json", "--plot", picture)
    found = json.loads(run("arena", "mozaika", "greedy", "random", "greedy@9n", *words).out)
    assert len(found["encounters"]) == 3
    table = {row["bot"]: row for row in found["table"]}
    assert (table["random"]["elo"]["value"], table["random"]["anchor"]) == (0, True)
    assert table["greedy"]["elo"]["low"] < table["greedy"]["elo"]["value"] < table["greedy"]["elo"]["high"]
    assert table["greedy"]["elo"]["value"] > 0
    assert [row["elo"]["value"] for row in found["table"]] == sorted(
        (row["elo"]["value"] for row in found["table"]), reverse=True
    )
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_sequential_test_stops_early(run: Run) -> None:
    words = ("--games", 4000, "--sprt", "0,50", "--workers", 1)
    code, out, _ = run("arena", "patterns", "greedy", "random", *words)
    assert code == 0
    assert "greedy is stronger by 50 Elo rather than by 0" in out
    found = json.loads(run("arena", "patterns", "random", "greedy", *words, "--json").out)
    assert found["games"] < 200
    assert found["encounters"][0]["sprt"]["verdict"] == "not better"


def test_bots_play_alone_with_the_same_dice(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "solo.jsonl"
    words = ("--games", 4, "--seed", 1, "--workers", 1, "--records", file)
    code, out, _ = run("arena", "mosaix", "--solo", "greedy", "random", *words)
    assert code == 0
    assert all(head in out for head in ("deviation", "≥ 120", "≥ 130", "ms a turn"))
    assert run("verify", file).out.count("ok mosaix 1") == 8
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert records[0]["events"][1] == records[1]["events"][1]
    found = json.loads(run("arena", "mosaix", "--solo", "greedy", *words, "--json").out)["solo"][0]
    assert found["games"] == 4
    assert (found["won"], found["brilliant"]) == (0, 0)
    assert found["least"] <= found["mean"] <= found["most"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess", "greedy", "random"], "there is no game 'chess'"),
        (["patterns", "greedy", "clever"], "there is no bot 'clever' for patterns"),
        (["patterns", "greedy", "search@0s"], "a budget must be more than nothing"),
        (["patterns", "greedy", "search@-1n"], "a budget is a number of seconds or nodes"),
        (["patterns", "greedy", "mcts@-1s"], "a budget is a number of seconds or nodes"),
        (["patterns", "greedy", "mcts@0n"], "a budget must be more than nothing"),
        (["patterns", "greedy", f"mcts@{10**13}n"], "a budget is at most 86400 s or 1000000000000 nodes"),
        (["patterns", "greedy", f"mcts@{'9' * 5000}n"], "a budget is a number of seconds or nodes"),
        (["mosaix", "greedy", "random", "--solo", "--seats", "3"], "--solo means one seat"),
        (["patterns", "greedy", "random", "--records", "."], "'.' is a folder; the records must be a file"),
        (["patterns", "greedy", "random", "--records", "no/such/x"], "there is no folder"),
        (["patterns", "greedy", "random", "--plot", "/proc/x.png"], "cannot write '/proc/x.png'"),
        (["patterns", "greedy"], "name at least two bots"),
        (["patterns", "greedy", "random", "--games", "3"], "--games must be from 4"),
        (["patterns", "greedy", "random", "--seats", "3"], "is played by 2 players"),
        (["patterns", "--solo", "greedy"], "is played by 2 players"),
        (["patterns", "greedy", "random", "--sprt", "10"], "--sprt takes two Elo differences"),
        (["patterns", "greedy", "random", "--sprt", "10,5"], "--sprt takes two Elo differences"),
        (["patterns", "greedy", "random", "search", "--sprt", "0,5"], "--sprt compares exactly two"),
        (["patterns", "greedy", "random", "--workers", "0"], "--workers must be from 1"),
        (["patterns", "greedy", "random", "--limit", "0"], "--limit must be a number of seconds"),
        (["patterns", "greedy", "random", "--seed", "-1"], "--seed must be from 0"),
        (["patterns", "greedy", "random", "--plot", "x.gif"], "must end with .png or .svg"),
        (["patterns", "greedy", "random", "--plot", "no/such/x.png"], "there is no folder"),
        (["mosaix", "greedy", "random", "--option", "cards=none"], "it can be: centre, scattered"),
    ],
)
def test_what_cannot_be_played_is_refused_with_one_line(words: list[str], message: str, run: Run) -> None:
    code, out, err = run("arena", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_without_matplotlib_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    assert "pip install 'smalti[plots]'" in run("arena", "patterns", "greedy", "random", "--plot", "x.png").err


def test_an_interrupted_contest_tells_what_it_knows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(outcome: arena.Outcome) -> bool:
        if outcome.games >= 6:
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(arena.Outcome, "is_decided", property(interrupted))
    code, out, _ = run("arena", "patterns", "greedy", "random", "--workers", 1)
    assert code == 130
    assert "6 games" in out


def test_tables_may_be_mixed(run: Run) -> None:
    words = ("--games", 12, "--seats", 3, "--mixed", "--workers", 1, "--json")
    found = json.loads(run("arena", "mosaix", "greedy", "random", *words).out)
    met = found["encounters"][0]
    assert (met["blocks"], met["games"], met["par"]) == (2, 12, pytest.approx(0.5))


def test_a_program_and_openspiel_take_part(run: Run, tmp_path: Path) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "games.jsonl"
    bot.write_text("import sys\nprint('{}', flush=True)\nsys.exit(3)")
    entrants = (f"program:{sys.executable} {bot}", "openspiel-mcts@2n")
    code, out, _ = run("arena", "patterns", *entrants, "--games", 4, "--workers", 1, "--records", file)
    assert code == 0
    assert out.count("lost a game") == 4
    assert "0/0/4" in out
    assert run("verify", file).out.count("not over") == 4


def test_help_has_examples(run: Run) -> None:
    assert "smalti arena " in run("arena", "--help").out
