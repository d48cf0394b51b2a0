"""What holds for every bot of every game."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from smalti import bots, games
from smalti.bots.bot import Seen
from smalti.engine.errors import BadInput
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from tests.bots.matches import chosen, played
from tests.support import random_match, step

LEVELS = ["random", "greedy", "search"]
LEVELLED = [name for name in games.names() if bots.own_part(name, "levels")]  # others have the bots of every game
SETTINGS: list[tuple[str, int, dict[str, str]]] = [
    *((game.name, seats, {}) for game in games.everyone() for seats in game.seats),
    ("mosaix", 2, {"cards": "scattered", "end": "blocked"}),
    ("mozaika", 4, {"hands": "hidden"}),
]


def match_awaiting(game: str, seats: int, verb: str, options: dict[str, str] | None = None) -> Match:
    """Return a random match in which some seat can do such a thing."""
    match, luck = Match(games.find(game), seats, options), random.Random(5)
    while not any(text.startswith(verb) for seat in match.acting for text in match.legal(seat)):
        match = Match(games.find(game), seats, options) if match.is_over else match
        step(match, luck)
    return match


@pytest.mark.parametrize("game", LEVELLED)
def test_every_game_with_levels_has_bots_from_weak_to_strong(game: str) -> None:
    assert [name for name in bots.names(game) if name in LEVELS] == LEVELS


SEATED = [(*setting, bot) for setting in SETTINGS for bot in LEVELS if bot in bots.names(setting[0])]


@pytest.mark.parametrize(("game", "seats", "options", "bot"), SEATED)
def test_bots_play_whole_matches_by_the_rules(game: str, seats: int, options: dict[str, str], bot: str) -> None:
    assert played(game, [bot] * seats, 3, options).is_over


KNOWN = [(game, bot) for game in games.names() for bot in LEVELS if bot in bots.names(game)]


@pytest.mark.parametrize(("game", "bot"), KNOWN)
def test_the_same_seed_gives_the_same_move(game: str, bot: str) -> None:
    for events in (1, 4, 9, 20):
        match = random_match(games.find(game), games.find(game).seats[-1], {}, random.Random(events), events)
        for seat in match.acting:
            assert chosen(bot, match, seat, 7) == chosen(bot, match, seat, 7)


@pytest.mark.parametrize("game", games.names())
def test_another_seed_gives_another_move_at_random(game: str) -> None:
    match = random_match(games.find(game), games.find(game).seats[-1], {}, random.Random(1), 4)
    while match.awaits_chance:
        step(match, random.Random(1))
    assert len({chosen("random", match, min(match.acting), seed) for seed in range(-20, 20)}) > 1


@pytest.mark.parametrize("bot", LEVELS)
@pytest.mark.parametrize(("game", "seats", "verb"), [("patterns", 2, "done"), ("mosaix", 1, "stop")])
def test_bots_do_not_give_up(game: str, seats: int, verb: str, bot: str) -> None:
    match = match_awaiting(game, seats, verb)
    assert all(chosen(bot, match, min(match.acting), seed) != verb for seed in range(10))


@pytest.mark.parametrize("bot", LEVELS)
def test_bots_pass_when_nothing_else_is_legal(bot: str) -> None:
    match = match_awaiting("mosaix", 4, "pass")
    seat = next(seat for seat in match.acting if match.legal(seat) == ["pass"])
    assert chosen(bot, match, seat, 1) == "pass"


@pytest.mark.parametrize("bot", ["greedy", "search"])
def test_bids_are_neither_always_nothing_nor_everything(bot: str) -> None:
    events = played("mozaika", [bot] * 3, 4).events
    bids = [int(event.do[4:]) for event in events if event.do.startswith("bid")]
    assert len(set(bids)) > 3
    assert 0.3 < sum(bids) / len(bids) < 8


def test_unknown_names_are_refused() -> None:
    match = match_awaiting("patterns", 2, "open")
    seen, seat = bytes_of(match.seen_by(0)), min(match.acting)
    with pytest.raises(BadInput, match="no game"):
        bots.names("chess")
    with pytest.raises(BadInput, match="no game"):
        bots.choose("random", "chess", seen, seat, 1)
    with pytest.raises(BadInput, match=r"no bot 'clever' for patterns; there are: random, .*greedy, "):
        bots.choose("clever", "patterns", seen, seat, 1)


def test_what_is_no_table_or_no_turn_is_refused() -> None:
    match = match_awaiting("patterns", 2, "open")
    seen, seat = bytes_of(match.seen_by(0)), min(match.acting)
    with pytest.raises(BadInput, match="bytes"):
        bots.choose("random", "patterns", seen[:-1], seat, 1)
    with pytest.raises(BadInput, match="does not have to act"):
        bots.choose("random", "patterns", seen, 1 - seat, 1)
    with pytest.raises(BadInput, match="does not have to act"):
        bots.choose("random", "patterns", seen, 99, 1)
    with pytest.raises(BadInput, match="seed"):
        bots.choose("random", "patterns", seen, seat, "1")  # type: ignore[arg-type]


@pytest.mark.parametrize("game", games.names())
def test_warming_up_asks_every_bot_about_every_kind_of_move_it_meets(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[tuple[str, str]] = set()

    def note(bot: str, seen: Seen) -> None:
        asked.update((bot, seen.game.text(move).partition(" ")[0]) for move in seen.legal)

    monkeypatch.setattr(bots, "think_briefly", note)
    bots.warm(game)
    verbs = {verb for _, verb in asked}
    assert asked == {(bot, verb) for bot in bots.names(game) for verb in verbs}
    assert len(verbs) >= min(2, len(games.find(game).notation.HINTS))


@pytest.mark.parametrize("game", LEVELLED)
def test_the_middling_level_stands_in(game: str) -> None:
    assert bots.stand_in(game) == "level-4"


def test_without_levels_one_of_those_that_play_every_game_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for_any_game = {bot.name: bot for bot in bots.everyone() if not bot.game}
    monkeypatch.setattr(bots, "players", lambda game: for_any_game)
    assert list(for_any_game) == ["random", "greedy", "mcts"]
    assert bots.stand_in("patterns") == "greedy"


AFTER_WARMING_UP = """
from smalti import bots
from smalti.bots.mosaix.evaluate import opponents
from smalti.bots.mosaix.search import endgame, lookahead
bots.warm("mosaix")
assert all(code.signatures for code in (lookahead.outlook, opponents.outlook_multiplayer, endgame.solve))
"""


def test_warming_up_comes_to_endings_and_looks_ahead() -> None:
    """In a process of its own: here other tests have called that code."""
    done = subprocess.run([sys.executable, "-c", AFTER_WARMING_UP], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
