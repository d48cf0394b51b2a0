"""OpenSpiel's search plays in the arena, where nothing is hidden."""

from __future__ import annotations

import random

import pytest

from smalti import games
from smalti.arena import spiel
from smalti.arena.contest import Contest
from smalti.arena.matches import play_match
from smalti.arena.players import Place, check
from smalti.engine.errors import BadInput
from smalti.engine.match import Match
from tests.support import random_match


@pytest.mark.parametrize(("game", "seats"), [("patterns", 2), ("mosaix", 1), ("mosaix", 3)])
def test_it_plays_by_the_rules(game: str, seats: int) -> None:
    check("openspiel-mcts@2n", game, seats, {})
    match = random_match(games.find(game), seats, {}, random.Random(3), 24)
    player = spiel.SpielPlayer(Place(game, "openspiel-mcts@3n", 0, 7, 1.0))
    while not match.is_over and len(match.events) < 34:
        if match.awaits_chance:
            match.draw(random.Random(1))
        else:
            match.play(min(match.acting), player.choose(match, min(match.acting)))


def test_it_plays_whole_matches_and_repeats_them() -> None:
    contest = Contest("patterns", 2, ("openspiel-mcts@1n", "random"), keeps_records=True)
    assert play_match(contest, 0, (0, 1)).line == play_match(contest, 0, (0, 1)).line


def test_seconds_are_kept() -> None:
    match = Match(games.find("patterns"), 2)
    match.draw(random.Random(1))
    name = "openspiel-mcts@0.05s"
    text = spiel.SpielPlayer(Place("patterns", name, 1, 7, 1.0)).choose(match, 1)
    assert text in match.legal(1)


def test_it_is_refused_where_something_is_hidden() -> None:
    with pytest.raises(BadInput, match="openspiel-mcts cannot play mozaika"):
        check("openspiel-mcts", "mozaika", 3, {})


def test_bad_budgets_are_refused() -> None:
    with pytest.raises(BadInput, match="more than nothing"):
        check("openspiel-mcts@0n", "patterns", 2, {})


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spiel, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'smalti\[research\]'"):
        check("openspiel-mcts", "patterns", 2, {})
