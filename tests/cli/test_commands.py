"""The other commands, as a person or a program would call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import smalti
from smalti import games
from smalti.server.workers.compiling import is_compiled
from tests.cli.conftest import Run

GRID = "oooooox / xxxootx / xoxtttx / oooo.tx / ottttox / ttoxxoo / xxxxxtx"


def test_help_tells_every_command_with_examples(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in ("play", "verify", "simulate", "score", "show", "admin", "warm", "bench"):
        assert command in out
        assert f"smalti {command}" in run(command, "--help").out


def test_the_command_is_installed() -> None:
    done = subprocess.run([sys.executable, "-m", "smalti", "verify", "nowhere.json"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "cannot read 'nowhere.json'" in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("words", [["fly"], ["verify"], ["simulate"], ["simulate", "mosaix", "--games", "many"]])
def test_a_wrong_call_ends_with_2(words: list[str], run: Run) -> None:
    assert run(*words).code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "there is no game 'chess'"),
        (["mosaix", "--players", "5"], "played by 1, 2, 3, 4 players"),
        (["mosaix", "--games", "-1"], "--games must be from 0"),
        (["mosaix", "--seed", "-1"], "--seed must be from 0"),
        (["mosaix", "--seed", str(2**64)], "--seed must be from 0"),
        (["mosaix", "--jobs", "0"], "--jobs must be from 1"),
        (["mosaix", "--option", "cards"], "NAME=VALUE"),
        (["mosaix", "--option", "cards=none"], "it can be: centre, scattered"),
        (["mosaix", "--out", "no/such/folder/x.jsonl"], "No such file"),
    ],
)
def test_simulate_refuses_with_one_line(words: list[str], message: str, run: Run) -> None:
    code, out, err = run("simulate", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_simulated_records_verify_whatever_the_number_of_jobs(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for file, jobs in ((one, 1), (two, 2)):
        words = ("--players", 4, "--games", 600, "--seed", 9, "--out", file, "--jobs", jobs)
        assert run("simulate", "mosaix", *words).code == 0
    assert one.read_bytes() == two.read_bytes()
    code, out, _ = run("verify", one)
    assert code == 0
    assert out.count("ok mosaix 4") == 600
    assert run("simulate", "mosaix", "--players", 4, "--games", 600, "--seed", 9).out == one.read_text()


def test_an_interrupted_simulation_leaves_no_half_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(task: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("smalti.cli.simulate.play_chunk", interrupted)
    assert run("simulate", "patterns", "--games", 5, "--out", tmp_path / "x.jsonl").code == 130
    assert list(tmp_path.iterdir()) == []


def test_score_draws_the_breakdown(run: Run) -> None:
    code, out, _ = run("score", "mosaix", "-", stdin=GRID)
    assert code == 0
    for part in ("101 points", "MX-10", "cross: 3 areas × 7 cells = 21", "+21", "total"):
        assert part in out


def test_score_for_programs(run: Run) -> None:
    answer = json.loads(run("score", "mosaix", "-", "--json", stdin=GRID + "\nboxes: 6").out)
    assert answer["scores"] == [107]
    assert sum(item["points"] for item in answer["items"]) == 107
    assert {"rule": "MX-13", "points": 6}.items() <= answer["items"][-1].items()


@pytest.mark.parametrize(
    ("words", "stdin", "code"),
    [
        (["chess", "-"], "", 2),
        (["mosaix", "-"], "", 2),
        (["mosaix", "-"], b"\xff\xfe", 2),
        (["mosaix", "-"], "x" * 10**6, 2),
        (["mosaix", "nowhere.txt"], "", 2),
    ],
)
def test_score_refuses_with_one_line(words: list[str], stdin: str | bytes, code: int, run: Run) -> None:
    outcome = run("score", *words, stdin=stdin)
    assert outcome.code == code
    assert len(outcome.err.splitlines()) == 1


def test_touching_groups_are_against_the_rules(run: Run) -> None:
    rows = ["K0* K1* . .", ". " * 6, *[". " * 8] * 4, ". " * 6, ". . . .", "river 0: K", "river 1: K"]
    code, _, err = run("score", "patterns", "-", stdin="\n".join(rows))
    assert code == 1
    assert err.startswith("smalti: PT-8 ")


def test_show_draws_any_point_of_a_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("simulate", "mozaika", "--players", 3, "--out", file)
    last = len(smalti.read(file.read_bytes()).events)
    assert "the end" not in run("show", file, "--event", 0).out
    assert "open tiles" in run("show", file, "--event", 5).out
    whole = run("show", file).out
    assert f"event {last} of {last}" in whole
    assert "wins" in whole or "tie" in whole
    assert json.loads(run("show", file, "--event", 5, "--json").out)["phase"] == "bidding"
    for event in (-1, last + 1):
        code, _, err = run("show", file, "--event", event)
        assert code == 2
        assert f"from 0 to {last}" in err


@pytest.mark.parametrize(
    ("record", "verdict"),
    [("solo-won", "122 points: won"), ("solo-brilliant", "points: brilliant"), ("solo-stopped", "points: not won")],
)
def test_a_solo_game_is_judged(record: str, verdict: str, run: Run) -> None:
    golden = Path(__file__).parent.parent / "golden" / "mosaix" / f"{record}.json"
    assert verdict in run("show", golden).out


def test_show_says_what_is_wrong_with_a_record(run: Run) -> None:
    assert run("show", "-", stdin="{").code == 2
    assert run("show", "nowhere.json").code == 2


def test_warm_compiles_and_says_so(run: Run) -> None:
    code, _, err = run("warm")
    assert code == 0
    assert "compiling Mosaix" in err


def test_a_server_need_not_compile_what_was_warmed_up(run: Run) -> None:
    assert run("warm").code == 0
    assert all(is_compiled(game) for game in games.everyone())


# --- Playing


def test_a_whole_game_can_be_played_by_typing(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    answers = "give K\n1\nhelp\nmoves\nmoves open\nscore\ntable\nfrobnicate\nopen a1\n" + "1\n" * 80
    words = ("--players", "human,random", "--seed", 5, "--out", out)
    code, text, _ = run("play", "patterns", *words, stdin=answers)
    assert code == 0
    assert "The end" in text
    assert "no such event: 'frobnicate'" in text
    assert "'a1' is not a space" in text
    assert smalti.verify(smalti.read(out.read_bytes())).is_over


@pytest.mark.parametrize(("game", "players"), [("patterns", "human,level-3"), ("mozaika", "level-1,human,level-2")])
def test_any_bot_can_be_played_against(game: str, players: str, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    code, text, _ = run("play", game, "--players", players, "--seed", 5, "--out", out, stdin="1\n" * 100)
    assert code == 0
    assert "The end" in text
    assert smalti.verify(smalti.read(out.read_bytes())).is_over


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("human,level-9", "a player is human or one of"),
        ("human,Human", "level-8"),
        ("human,", "not ''"),
        ("human,mcts@0s", "a budget must be more than nothing"),
        ("human,random,random", "played by 2 players"),
    ],
)
def test_who_cannot_play_is_refused_with_one_line(players: str, message: str, run: Run) -> None:
    code, out, err = run("play", "patterns", "--players", players)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_refused_event_is_told_with_its_rule(run: Run, tmp_path: Path) -> None:
    text = run("play", "mosaix", "--players", "human", "--out", tmp_path / "x.json", stdin="place 0 1,1\npass\n").out
    assert "MX-2: The dice have to be arranged first; it is the turn of Seat 0." in text


def test_leaving_keeps_the_game_and_it_can_be_resumed(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    code, text, _ = run("play", "mozaika", "--players", "human,random,random", "--out", out, stdin="1\nquit\n")
    assert code == 0
    assert f"smalti play --resume {out}" in text
    before = smalti.read(out.read_bytes())
    run("play", "--resume", out, "--out", out, stdin="1\n")
    after = smalti.read(out.read_bytes())
    assert after.events[: len(before.events)] == before.events
    assert len(after.events) > len(before.events)


def test_sealed_bids_are_not_told(run: Run, tmp_path: Path) -> None:
    words = ("--players", "human,random,random", "--out", tmp_path / "x.json", "--seed", 1)
    text = run("play", "mozaika", *words, stdin="1\nbid 2\n").out
    assert "bid (sealed)" in text


def test_hidden_hands_are_not_told_by_the_deal(run: Run, tmp_path: Path) -> None:
    words = ("--players", "human,random,random", "--out", tmp_path / "x.json", "--option", "hands=hidden")
    assert "deal (sealed)" in run("play", "mozaika", *words).out
    assert "deal (sealed)" not in run("play", "mozaika", *words[:4]).out


def test_without_a_game_it_asks(run: Run, tmp_path: Path) -> None:
    text = run("play", "--out", tmp_path / "x.json", stdin="7\nx\n1\n").out
    assert "Which game?" in text
    assert "number from 1 to 3" in text
    assert "Mosaix, by Christof Tisch" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "there is no game"),
        (["mosaix", "--players", "human,alien"], "a player is human or one of random, level-1, "),
        (["patterns", "--players", "human"], "played by 2 players"),
        (["--resume", "nowhere.json"], "cannot read"),
    ],
)
def test_play_refuses_with_one_line(words: list[str], message: str, run: Run) -> None:
    code, _, err = run("play", *words)
    assert code == 2
    assert message in err


def test_an_installed_package_measures_itself(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.cli.bench.ROOT", tmp_path)
    assert set(json.loads(run("bench", "--rounds", 1, "--json").out)) == set(smalti.games.names())
    assert run("bench", "--write").code == 2
    assert run("bench", "research").code == 2
