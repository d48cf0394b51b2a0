"""Programs of others take part by lines of JSON, and lose when they misbehave."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from smalti import games
from smalti.arena.contest import Contest
from smalti.arena.matches import Played, play_match
from smalti.arena.players import Place, check
from smalti.arena.programs import ProgramPlayer, Witness
from smalti.engine.errors import BadInput
from smalti.engine.match import Match
from smalti.engine.records import parse, verify

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "arena.md").read_text("utf-8")
EXAMPLE = re.findall(r"```python\n(.*?)```", PAGE, re.S)[0]

GREETING = "import json, sys, time\nprint('{}', flush=True)\n"


def program(folder: Path, code: str) -> str:
    """Write a program and return the name it takes part by."""
    file = folder / "bot.py"
    file.write_text(code)
    return f"program:{sys.executable} {file}"


def played(name: str, game: str = "patterns", seats: int = 2, limit: float = 20.0) -> Played:
    """Let a program play against random ones."""
    contest = Contest(game, seats, (name, "random"), limit=limit, keeps_records=True)
    return play_match(contest, 0, (1, 0, *[1] * (seats - 2)))


@pytest.mark.parametrize(("game", "seats"), [("patterns", 2), ("mozaika", 3)])
def test_the_example_of_the_page_plays_a_whole_match(game: str, seats: int, tmp_path: Path) -> None:
    assert len(EXAMPLE.splitlines()) <= 15
    match = played(program(tmp_path, EXAMPLE), game, seats)
    assert match.forfeit is None
    assert verify(parse(match.line), games.find).is_over
    assert match.clocks[1].moves > 5


def test_a_program_learns_what_it_may_know(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    noting = EXAMPLE.replace(
        "message = json.loads(line)", f"message = json.loads(line); open({str(log)!r}, 'a').write(line)"
    )
    match = played(program(tmp_path, noting))
    hello, *asked, over = [json.loads(line) for line in log.read_text().splitlines()]
    assert (hello["hello"], hello["game"], hello["seats"], hello["seat"]) == ("smalti-arena/1", "patterns", 2, 1)
    assert asked[0]["budget"] == {"seconds": 20.0}
    assert asked[0]["legal"][0].startswith("give")
    assert asked[0]["seen"]
    events = json.loads(match.line)["events"]
    told = [event for question in asked for event in question["events"]]
    assert told == events[: len(told)]
    assert over["over"] == {"scores": match.scores, "winners": json.loads(match.line)["winners"]}


def test_sealed_bids_are_told_once_they_are_shown() -> None:
    match, luck, witness, told = Match(games.find("mozaika"), 3), random.Random(1), Witness(2), list[Any]()
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
            continue
        seat = min(match.acting)
        if seat == 2:
            news = witness.news(match)
            if match.legal(2)[0].startswith("bid"):
                assert match.events[-1].do.startswith("bid")
                assert not any(event["do"].startswith("bid") for event in news[-2:])
            told += news
        match.play(seat, luck.choice(match.legal(seat)))
    told += witness.news(match)
    assert told == [event._asdict() for event in match.events]


def test_tiles_of_hidden_hands_are_not_told() -> None:
    match, witness = Match(games.find("mozaika"), 3, {"hands": "hidden"}), Witness(0)
    match.draw(random.Random(1))
    assert witness.news(match) == [{"by": None, "do": "deal"}]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (GREETING + "time.sleep(60)", "said nothing for 0.5 s"),
        (GREETING + "sys.exit('no idea')", "ended with code 1: 'no idea'"),
        (GREETING + "print('what?', flush=True); time.sleep(60)", "not JSON: 'what?'"),
        (GREETING + "print('[1]', flush=True); time.sleep(60)", "no object: '[1]'"),
        (GREETING + "print('{}', flush=True); time.sleep(60)", "without a move"),
        (GREETING + "print('{\"do\": 5}', flush=True); time.sleep(60)", "without a move"),
        (GREETING + "print(json.dumps({'do': 'open a1'}), flush=True); time.sleep(60)", "wanted to play 'open a1'"),
        (GREETING + "print('x' * 100000, flush=True); time.sleep(60)", "more than 65536 bytes"),
        ("raise SystemExit", "ended with code 0"),
    ],
    ids=lambda text: text if "import" not in text else "",
)
def test_a_program_that_misbehaves_loses_with_the_reason(code: str, why: str, tmp_path: Path) -> None:
    match = played(program(tmp_path, code), limit=0.5 if "nothing" in why else 20.0)
    assert match.forfeit
    assert match.forfeit["seat"] == 1
    assert why in match.forfeit["why"]
    assert match.shares == [1.0, 0.0]
    record = parse(match.line)
    assert record.extra["forfeit"] == match.forfeit
    assert not verify(record, games.find).is_over


def test_a_program_that_is_not_there_loses(tmp_path: Path) -> None:
    match = played(f"program:{tmp_path / 'nobody'}", "mozaika", 3)
    assert match.forfeit
    assert "cannot be started: No such file" in match.forfeit["why"]
    assert match.shares == [0.5, 0.0, 0.5]


@pytest.mark.parametrize("name", ["program:", "program:   ", "program:'open"])
def test_what_is_no_command_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="command"):
        check(name, "patterns", 2, {})


def test_who_does_not_read_does_not_stop_the_arena(tmp_path: Path) -> None:
    place = Place("patterns", program(tmp_path, GREETING + "time.sleep(60)"), 0, 1, 20.0)
    player, match = ProgramPlayer(place), Match(games.find("patterns"), 2)
    player.start(match)
    player.send({"much": "x" * 10**6})
    assert player.writer
    assert player.writer.is_alive()
    player.leave(match)
    assert not player.writer.is_alive()
