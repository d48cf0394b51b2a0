"""Versions of a game's rules: found by number, named in records, kept by whatever was begun with them."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pytest

import smalti
from smalti import Match
from smalti.bots import choose
from smalti.bots.bot import Seen
from smalti.engine.record import bytes_of
from tests.support import EVERY_VERSION, few, random_match

GOLDEN = Path(__file__).parent.parent / "golden"
FIRST, SECOND = smalti.games.find("mosaix", 1), smalti.games.find("mosaix", 2)
ENDLESS = smalti.read((GOLDEN / "mosaix" / "version-1-idle-rounds-and-went-on.json").read_text())


def test_the_newest_rules_are_found_if_no_version_is_asked_for() -> None:
    assert smalti.games.find("mosaix") is SECOND is smalti.games.find("mosaix", version=2)
    assert FIRST is smalti.games.find("mosaix", version=1) is not SECOND
    assert (FIRST.version, SECOND.version) == (1, 2)
    assert FIRST.versions == SECOND.versions == (1, 2)
    assert (repr(FIRST), repr(SECOND)) == ("<Game mosaix 1>", "<Game mosaix>")


@pytest.mark.parametrize("version", [0, 3, -1, 10**30, True, 1.0, "1"])
def test_an_unknown_version_is_refused_and_the_known_ones_are_listed(version: int) -> None:
    with pytest.raises(smalti.BadInput, match=r"^mosaix has no rules of version .*; it has: 1, 2$"):
        smalti.games.find("mosaix", version)


@pytest.mark.parametrize("game", EVERY_VERSION, ids=repr)
def test_a_record_goes_on_by_the_version_it_was_begun_with(game: smalti.Game) -> None:
    for seed in range(few(5)):
        match = random_match(game, game.seats[-1], {}, random.Random(seed), 25)
        record = smalti.read(smalti.record_of(match).text())
        assert record.rules == game.version  # always named
        again = smalti.verify(record)
        assert again == match
        assert again.game is game


def test_a_record_without_a_version_is_of_the_newest_one() -> None:
    assert ENDLESS.rules == 1
    assert smalti.verify(ENDLESS).game is FIRST
    for rules in (2, None):
        with pytest.raises(smalti.Refused, match="The game is over"):
            smalti.verify(replace(ENDLESS, rules=rules))


@pytest.mark.parametrize("rules", ["2", 2.0, True, None, [2]])
def test_a_version_is_a_number(rules: object) -> None:
    with pytest.raises(smalti.BadRecord, match="'rules' must be a number"):
        smalti.read(json.dumps({**ENDLESS.document(), "rules": rules}))


def test_a_named_version_stays_named() -> None:
    document = {**ENDLESS.document(), "rules": 1}
    assert json.loads(smalti.read(json.dumps(document)).text()) == document


def test_a_record_of_an_unknown_version_is_refused() -> None:
    with pytest.raises(smalti.BadInput, match="it has: 1, 2"):
        smalti.verify(replace(ENDLESS, rules=7))


def test_matches_of_two_versions_are_never_equal() -> None:
    assert Match(FIRST, 2) != Match(SECOND, 2)
    assert Match(FIRST, 1) != Match(SECOND, 1)


def test_copies_and_takebacks_of_keep_the_version() -> None:
    match = smalti.verify(ENDLESS)
    earlier = match.copy()
    for _ in range(20):
        earlier.undo()
    assert earlier.game is FIRST
    for event in ENDLESS.events[-20:]:
        earlier.play(*event)
    assert earlier == match


def test_a_bot_plays_by_the_version_that_the_table_carries() -> None:
    """Nobody tells it: the bytes of the table say when the game will be over."""
    late = smalti.match_of(ENDLESS, len(ENDLESS.events) - 12)
    while not late.acting:
        late.undo()
    seat = min(late.acting)
    text = choose("mcts@50n", "mosaix", bytes_of(late.seen_by(seat)), seat, 1)
    assert text in late.legal(seat)
    assert Seen(FIRST, bytes_of(late.seen_by(seat)), seat, 1).table.patience == 0


def test_tables_that_are_the_same_by_both_versions_have_the_same_bytes() -> None:
    """So bots play the same moves there: alone, and with end=blocked."""
    for seats, options in ((1, {}), (2, {"end": "blocked"}), (4, {"end": "blocked"})):
        assert bytes_of(FIRST.set_up(seats, options)) == bytes_of(SECOND.set_up(seats, options))
    assert bytes_of(FIRST.set_up(2)) != bytes_of(SECOND.set_up(2))


def test_an_environment_goes_on_by_the_version_of_its_start() -> None:
    research = pytest.importorskip("smalti.research")
    start = smalti.match_of(ENDLESS, 20)
    chosen = research.setting("mosaix", start=start)
    assert chosen.game is FIRST
    assert pickle.loads(pickle.dumps(chosen)).game is FIRST
    assert research.setting("mosaix").game is SECOND
