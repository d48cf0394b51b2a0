"""What many tests need: how many games to play, tables set up by events, random matches."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator

import smalti
from smalti.engine.game import Game
from smalti.engine.match import Match

# Plain Python is a hundred times slower than compiled code, so there fewer games are played.
SHARE = float(os.environ.get("SMALTI_TEST_SHARE", "1"))


def few(games: int) -> int:
    """Return how many of so many games to play in this run, at least one."""
    return max(1, round(games * SHARE))


def settings_of(games: Iterable[Game]) -> Iterator[tuple[Game, int, dict[str, str]]]:
    """List every game with every number of players and every combination of options."""
    for game in games:
        for seats in game.seats:
            combinations: list[dict[str, str]] = [{}]
            for name, values in game.options.items():
                combinations = [{**chosen, name: value} for chosen in combinations for value in values]
            for options in combinations:
                yield game, seats, options


def name_of(setting: tuple[Game, int, dict[str, str]]) -> str:
    """Name a setting, with the version of the rules if it is not the newest."""
    game, seats, options = setting
    older = [] if game is smalti.games.find(game.name) else [f"version-{game.version}"]
    return "-".join([game.name, *older, str(seats), *options.values()])


EVERY_SETTING = list(settings_of(smalti.games.everyone()))
SETTING_NAMES = [name_of(setting) for setting in EVERY_SETTING]

EVERY_VERSION = [smalti.games.find(game.name, version) for game in smalti.games.everyone() for version in game.versions]
EVERY_SETTING_OF_EVERY_VERSION = list(settings_of(EVERY_VERSION))


def step(match: Match, luck: random.Random) -> None:
    """Let chance, or any seat that must act, do something at random."""
    if match.awaits_chance:
        match.draw(luck)
    else:
        seat = luck.choice(sorted(match.acting))
        match.play(seat, luck.choice(match.legal(seat)))


def unfinished_match(game: Game, seats: int, options: dict[str, str], luck: random.Random, events: int) -> Match:
    """Play at random for so many events, or until a seat has the last decision; chance has acted."""
    match = random_match(game, seats, options, luck, events)
    while match.awaits_chance:
        match.draw(luck)
    while match.is_over or not match.acting:
        match.undo()
    return match


def random_match(game: Game, seats: int, options: dict[str, str], luck: random.Random, events: int = 10**9) -> Match:
    """Play at random for so many events, or to the end."""
    match = Match(game, seats, options)
    while not match.is_over and len(match.events) < events:
        step(match, luck)
    return match
