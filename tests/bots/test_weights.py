"""Weights are whole, of the right kind, or not used at all: then the next weaker bot plays, and the log says why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from smalti import bots, games
from smalti.bots import weights
from smalti.bots.bot import LEVEL_RANKS, Bot, Budget, Seen, Thought, levels
from smalti.bots.weights import NoWeights, about_shipped
from tests.bots.tables import SETTINGS, seen_by, table_after

ARRAYS = {"worth": np.arange(500, dtype=np.int16)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "toy.npz"
    weights.save(path, ARRAYS, "toy", 3, games=5)
    return path


def test_weights_come_back_as_they_were(file: Path) -> None:
    assert (weights.read(file, "toy", 3)["worth"] == ARRAYS["worth"]).all()
    about, _ = weights.opened(file, "toy")
    assert (about["games"], about["version"]) == (5, 3)


@pytest.mark.parametrize(
    ("begin", "middle", "end"), [(0, b"", 0), (0, b"nonsense", 0), (-30, b"", 0), (300, bytes(20), 320)]
)
def test_damaged_weights_are_refused(file: Path, begin: int, middle: bytes, end: int) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:begin] + middle + (whole[end:] if end else b""))
    with pytest.raises(NoWeights, match="are damaged"):
        weights.read(file, "toy", 3)


def test_weights_of_another_kind_are_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(NoWeights, match="are of another version"):
        weights.read(file, "toy", 4)
    with pytest.raises(NoWeights, match=r"are missing: there is no other\.npz"):
        weights.read(tmp_path / "other.npz", "toy", 3)
    np.savez(file, worth=ARRAYS["worth"])
    with pytest.raises(NoWeights, match="are damaged"):
        weights.read(file, "toy", 3)
    about = {"format": 1, "name": "toy", "version": 3, "digest": "another"}
    np.savez(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), worth=ARRAYS["worth"])
    with pytest.raises(NoWeights, match="the checksum is another"):
        weights.read(file, "toy", 3)


@pytest.mark.parametrize("game", [game for game in games.names() if bots.own_part(game, "learning")])
def test_shipped_weights_say_what_they_are(game: str) -> None:
    assert about_shipped(game)["name"] == game


def test_without_weights_the_next_weaker_bot_plays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def forgetful(seen: Seen, budget: Budget) -> Thought:
        raise NoWeights("toy", "are missing")

    found = {**bots.players("patterns"), "clever": Bot("clever", 110, forgetful, "patterns")}
    monkeypatch.setattr(bots, "players", lambda game: dict(sorted(found.items(), key=lambda item: item[1].rank)))
    bots.warn_once.cache_clear()
    match = table_after(SETTINGS[0], 5)
    seen = seen_by(match, min(match.acting))
    for _ in range(2):
        assert bots.think("clever", seen).move in match.legal_moves(seen.seat)
    assert [record.getMessage() for record in caplog.records] == [
        "clever cannot play patterns, greedy plays instead: the weights of toy are missing; "
        "install smalti again, or make them with `smalti train`"
    ]


NOBODY_KNOWS = """
import logging, sys
from pathlib import Path
from smalti.bots import weights
weights.SHIPPED = Path(sys.argv[1])
from smalti import bots
from tests.bots.tables import SETTINGS, seen_by, table_after
logging.basicConfig(format="%(message)s")
for setting in (SETTINGS[0], SETTINGS[2], SETTINGS[3]):
    match = table_after(setting, 5)
    seat = min(match.acting)
    assert bots.think("strongest", seen_by(match, seat)).move in match.legal_moves(seat)
"""


def test_no_bot_breaks_down_without_weights(tmp_path: Path) -> None:
    (tmp_path / "mosaix.npz").write_bytes(b"PK nonsense")
    weights.save(tmp_path / "mozaika.npz", ARRAYS, "mozaika", 0)
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", NOBODY_KNOWS, str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for game, wrong in {"patterns": "missing", "mosaix": "damaged", "mozaika": "of another version"}.items():
        said = f"strongest cannot play {game}, level-8 plays instead: the weights of {game} are {wrong}"
        assert said in done.stderr


def test_levels_stand_where_their_stand_ins_are_weaker() -> None:
    found = levels("patterns", lambda seen, number: Thought(number, ()), dict.fromkeys(LEVEL_RANKS, 0))
    assert [bot.name for bot in found] == [f"level-{number}" for number in range(1, 9)]
    assert [bot.rank for bot in found] == sorted(bot.rank for bot in found)
    match = table_after(SETTINGS[0], 5)
    seen = seen_by(match, min(match.acting))
    assert [bot.think(seen, Budget()).move for bot in found] == list(range(1, 9))
