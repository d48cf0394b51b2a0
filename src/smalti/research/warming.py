"""Compiling ahead of time what environments need, as `smalti warm --research` does."""

from __future__ import annotations

from collections.abc import Callable

import pyspiel

from smalti.engine.game import Game
from smalti.research import spiel
from smalti.research.play import Play
from smalti.research.setting import setting
from smalti.research.vector import GamesEnv


def steps(game: Game) -> list[Callable[[], object]]:
    """List pieces of work that together compile all that environments need of a game."""
    return [lambda: one_game(game), lambda: two_games(game), lambda: a_few_nodes(game)]


def one_game(game: Game) -> None:
    """Play the beginning of a game, and look at it from every side."""
    play = Play(setting(game.name))
    play.start(0)
    _, mask = play.observe(play.next)
    play.act(play.next, int(mask.argmax()))
    play.rewards()
    play.full_observation()


def two_games(game: Game) -> None:
    """Step two games together."""
    env = GamesEnv(game.name, games=2, seed=0)
    env.reset()
    env.step(env.sample())


def a_few_nodes(game: Game) -> None:
    """Walk through the first nodes of OpenSpiel's tree."""
    state = pyspiel.load_game(spiel.short_name(game), {"limit": 2}).new_initial_state()
    while not state.is_terminal():
        state.observation_tensor(0)
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(seat)[0] for seat in range(state.num_players())])
        else:
            state.apply_action(state.legal_actions()[0])
    state.returns()
