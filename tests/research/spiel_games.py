"""What the tests of the OpenSpiel adapter share: games loaded, states played at random, starts close to the end."""

from __future__ import annotations

import random
from typing import Any

import pyspiel

import smalti
import smalti.research
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.research import spiel
from tests.support import random_match

CHANCE, TOGETHER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.SIMULTANEOUS)


def loaded(game: Game, seats: int, options: dict[str, str], **more: Any) -> Any:
    """Load one of our games."""
    return pyspiel.load_game(spiel.short_name(game), {"players": seats, **options, **more})


def play(state: Any, luck: random.Random) -> None:
    """Let whoever acts do something at random."""
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(luck.choices(actions, chances)[0])
    elif state.is_simultaneous_node():
        choices = [state.legal_actions(player) for player in range(state.num_players())]
        state.apply_actions([luck.choice(actions) if actions else 0 for actions in choices])
    else:
        state.apply_action(luck.choice(state.legal_actions()))


def played(game: Any, luck: random.Random, steps: int = 10**9) -> Any:
    """Play so many steps at random, or to the end."""
    state = game.new_initial_state()
    while not state.is_terminal() and steps > 0:
        play(state, luck)
        steps -= 1
    return state


def deal(state: Any, luck: random.Random) -> Any:
    """Let chance play as long as it acts."""
    while state.is_chance_node():
        play(state, luck)
    return state


def nearly_over(name: str, seats: int, left: int, seed: int = 1, **options: str) -> Match:
    """Play at random to the end, and go so many events back."""
    match = random_match(smalti.games.find(name), seats, options, random.Random(seed))
    for _ in range(left):
        match.undo()
    return match


def last_round(seed: int = 1, **options: str) -> Match:
    """Return a match of Mozaika by three whose last round begins with the bids."""
    match = nearly_over("mozaika", 3, 1, seed, **options)
    while not match.events[-1].do.startswith("draw"):
        match.undo()
    return match
