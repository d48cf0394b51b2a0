"""`smalti verify`: one line a record, and an exit code that a program can use."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import smalti
from smalti.engine.records import MOST_BYTES
from tests.cli.conftest import Run
from tests.support import random_match

RECORD = smalti.record_of(random_match(smalti.games.find("patterns"), 2, {}, random.Random(8)))
UNFINISHED = smalti.record_of(random_match(smalti.games.find("mosaix"), 3, {}, random.Random(8), 20))
WON = ",".join(map(str, RECORD.winners or []))
OK = f"ok patterns 2 scores={RECORD.scores[0]},{RECORD.scores[1]} winners={WON}\n" if RECORD.scores else ""


def with_event(number: int, by: Any, do: Any) -> str:
    """The record with one event replaced."""
    document = RECORD.document()
    document["events"][number - 1] = {"by": by, "do": do}
    return json.dumps(document)


def test_a_good_record_gets_ok(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    for text in (RECORD.text(), RECORD.line(), "\n\n" + RECORD.text(), "\ufeff" + RECORD.line()):
        file.write_text(text, encoding="utf-8")
        assert run("verify", file) == (0, OK, "")


def test_records_come_on_lines_and_from_standard_input(run: Run) -> None:
    code, out, _ = run("verify", "-", stdin=f"{RECORD.line()}\n\n{UNFINISHED.line()}\n{RECORD.line()}")
    assert code == 0
    assert out.splitlines() == [OK.strip(), "ok mosaix 3 scores=- winners=- (not over after 20 events)", OK.strip()]


def test_a_refused_event_is_named_with_its_rule(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(with_event(3, 1, "open a5"))
    assert run("verify", file) == (1, f"{file}:1 event 3: PT-10 It is not your turn: Seat 0 is to move.\n", "")


def test_the_worst_record_decides_the_exit_code(run: Run) -> None:
    lines = [RECORD.line(), with_event(3, 1, "open a5"), '{"format": 1}', RECORD.line()]
    code, out, _ = run("verify", "-", stdin="\n".join(lines))
    assert code == 2
    assert [line.split()[0] for line in out.splitlines()] == ["ok", "-:2", "-:3:", "ok"]


def test_json_for_programs(run: Run) -> None:
    code, out, _ = run("verify", "-", "--json", stdin=f"{RECORD.line()}\n{with_event(3, 1, 'open a5')}")
    good, bad = map(json.loads, out.splitlines())
    assert code == 1
    assert (good["ok"], good["scores"], good["winners"]) == (True, RECORD.scores, RECORD.winners)
    assert (bad["ok"], bad["record"], bad["event"], bad["rule"]) == (False, 2, 3, "PT-10")
    assert bad["reason"] == "patterns.not-your-turn"


BAD: dict[str, tuple[str | bytes, int, str]] = {
    "nothing": ("", 2, "the file is empty"),
    "blank": (" \n \n", 2, "the file is empty"),
    "truncated": (RECORD.line()[:300], 2, "not JSON"),
    "truncated, many lines": (RECORD.text()[:300], 2, "not JSON"),
    "binary": (bytes(range(256)) * 50, 2, "not a text in UTF-8"),
    "a list": (f"[{RECORD.line()}]", 2, "a JSON object, not a list"),
    "a number": ("7", 2, "a JSON object, not a number"),
    "deep": ("[" * 200_000, 2, "nested too deeply"),
    "unknown game": (RECORD.line().replace('"patterns"', '"chess"'), 2, "there is no game 'chess'"),
    "unknown option": (RECORD.line().replace('"options":{}', '"options":{"x":"y"}'), 2, "has no option 'x'"),
    "wrong players": (RECORD.line().replace('"players":2', '"players":3'), 2, "played by 2 players"),
    "many players": (RECORD.line().replace('"players":2', f'"players":{10**30}'), 2, "played by 2 players"),
    "duplicate key": (RECORD.line().replace('"players":2', '"players":2,"players":2'), 2, "'players' stands twice"),
    "wrong type": (RECORD.line().replace('"players":2', '"players":"2"'), 2, "'players' must be a number"),
    "unknown verb": (with_event(3, 0, "jump a5"), 2, "event 3: notation no such event: 'jump a5'"),
    "cell off the board": (with_event(3, 0, "open j9"), 2, "event 3: notation 'j9' is not a space"),
    "seat out of range": (with_event(3, 2, "open a5"), 2, "event 3: input there is no seat 2"),
    "no deal": (with_event(1, 1, "give K"), 1, "event 1: PT-1"),
    "chance in the middle": (with_event(3, None, "deal"), 1, "event 3: PT-1 The tiles are laid out already"),
    "control characters": (with_event(3, 0, "open\x00\x1b[31m"), 2, r"'open\x00\x1b[31m'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_clear_line(name: str, run: Run) -> None:
    stdin, expected, message = BAD[name]
    code, out, err = run("verify", "-", stdin=stdin)
    assert code == expected
    assert message in out
    assert len(out.splitlines()) == 1
    assert len(out) < 300
    assert not err


def test_a_bid_of_a_thousand_million_is_refused_by_its_rule(run: Run) -> None:
    match = random_match(smalti.games.find("mozaika"), 3, {}, random.Random(1), 4)
    match.draw(random.Random(1))
    record = smalti.record_of(match)
    for bid in (11, 59, 10**9, 10**17):
        record.events = [*match.events, smalti.Event(0, f"bid {bid}")]
        code, out, _ = run("verify", "-", stdin=record.line())
        assert (code, out) == (1, f"-:1 event 6: MZ-4 A bid of {bid} is not possible with 10 coins.\n")


@pytest.mark.parametrize("name", ["missing.json", ".", "\x00", "a" * 5000])
def test_a_file_that_cannot_be_read_gets_one_clear_line(name: str, run: Run) -> None:
    code, out, err = run("verify", name)
    assert code == 2
    assert len((out + err).splitlines()) == 1


def test_a_huge_file_is_refused_without_reading_all_of_it(run: Run, tmp_path: Path) -> None:
    for name, piece in (("one line", b"x"), ("many lines", b"xxxxxxx\n"), ("json", b"[[[[[[[[")):
        file = tmp_path / name
        with file.open("wb") as out:
            for _ in range(MOST_BYTES // len(piece) // 1024 + 64):
                out.write(piece * 1024)
            os.truncate(out.fileno(), 200 * 2**20)  # the rest of 200 MB takes no room on the disk
        code, text, _ = run("verify", file)
        assert code == 2
        assert len(text.splitlines()) == 1
        assert "MiB" in text


def test_a_long_line_does_not_hide_the_next_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{RECORD.line()}\n{' ' * (2 * MOST_BYTES)}1\n{RECORD.line()}\n")
    code, out, _ = run("verify", file)
    assert code == 2
    assert [line[:2] for line in out.splitlines()] == ["ok", str(file)[:2], "ok"]


def test_nobody_waits_for_millions_of_bad_lines(run: Run) -> None:
    code, out, _ = run("verify", "-", stdin=RECORD.line() + "\n" + "nonsense\n" * 10_000)
    assert code == 2
    assert "the rest is not read" in out.splitlines()[-1]
    assert len(out.splitlines()) < 200


def test_nobody_waits_for_millions_of_blank_lines(run: Run) -> None:
    code, out, _ = run("verify", "-", stdin=b"\n" * (2 * MOST_BYTES) + RECORD.line().encode())
    assert code == 2
    assert "the file is empty" in out


def test_a_bad_first_line_does_not_hide_the_others(run: Run) -> None:
    code, out, _ = run("verify", "-", stdin=f"{RECORD.line()[:-5]}\n{RECORD.line()}\n")
    assert code == 2
    assert out.splitlines()[1] == OK.strip()
