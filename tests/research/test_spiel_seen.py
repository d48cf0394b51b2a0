"""OpenSpiel: what each seat sees of a position and of its past, and what it does not."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from smalti.engine.game import Game
from smalti.games.mozaika.tables import DEAL, DRAW, HAND
from smalti.research.play import Play
from smalti.research.setting import setting as setting_of
from tests.research.spiel_games import loaded, play, played
from tests.support import EVERY_SETTING, SETTING_NAMES

Setting = tuple[Game, int, dict[str, str]]
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)
Private = pyspiel.PrivateInfoType


def watched(game: Any, luck: random.Random, every: int = 5) -> list[Any]:
    """Return some states of a random game, its first and its last among them."""
    state, found = game.new_initial_state(), []
    while not state.is_terminal():
        if state.move_number() % every == 0:
            found.append(state.clone())
        play(state, luck)
    return [*found, state]


def kind(**parts: Any) -> Any:
    return pyspiel.IIGObservationType(**{"perfect_recall": False, **parts})


# --- The position


@every_setting
def test_observations_are_the_planes_of_the_game(setting: Setting) -> None:
    game, seats, options = setting
    chosen = setting_of(game.name, seats, options=options)
    spiel_game, view = loaded(*setting), Play(chosen)
    assert spiel_game.observation_tensor_shape() == list(chosen.shape)
    for state in watched(spiel_game, random.Random(2)):
        view.tables = state.node.tables
        for seat in range(seats):
            tensor = np.array(state.observation_tensor(seat)).reshape(chosen.shape)
            assert np.array_equal(tensor, view.observe(seat)[0])
            assert (tensor >= 0).all()
            assert (tensor <= chosen.tops).all()


@every_setting
def test_planes_have_names(setting: Setting) -> None:
    game = loaded(*setting)
    observation, state = make_observation(game), played(game, random.Random(1), 40)
    observation.set_from(state, 0)
    planes = setting_of(setting[0].name, setting[1], options=setting[2]).planes
    assert [(name, len(part)) for name, part in observation.dict.items()] == [(p.name, p.count) for p in planes]
    assert np.array_equal(np.concatenate([part.ravel() for part in observation.dict.values()]), observation.tensor)
    assert observation.tensor.dtype == np.float32
    assert observation.tensor.tolist() == state.observation_tensor(0)


def test_observations_are_told_as_boards() -> None:
    game = pyspiel.load_game("python_smalti_mozaika(hands=hidden)")
    state = played(game, random.Random(1), 12)
    lines = state.observation_string(1).split("\n")
    assert lines[0] == "seat 1"
    assert [line for line in lines if line.startswith("hand")] == ["hand: hidden", "hand: B2 B2 B4 Y2", "hand: hidden"]
    assert lines[-1] == "to act: seat 0, seat 1, seat 2"
    assert str(state).count("hand: hidden") == 0


# --- The past


@every_setting
def test_information_states_tell_all_that_was_seen(setting: Setting) -> None:
    spiel_game, (game, seats, options) = loaded(*setting), setting
    state = played(spiel_game, random.Random(3), 60)
    for seat in range(seats):
        first, told = state.information_state_string(seat).split("\n")
        tensor = np.array(state.information_state_tensor(seat))
        moves = tensor[seats : seats + len(told.split("; "))]
        texts = ["?" if move < 0 else game.text(int(move) - 1) for move in moves]
        assert first == f"seat {seat}"
        assert tensor[:seats].tolist() == [number == seat for number in range(seats)]
        assert not tensor[seats + len(moves) :].any()
        assert [event.lstrip("01234 ") for event in told.split("; ")] == texts
        assert texts.count("?") == (HAND * (seats - 1) if options.get("hands") == "hidden" else 0)


@every_setting
def test_information_states_never_repeat_and_never_overlap(setting: Setting) -> None:
    states = watched(loaded(*setting), random.Random(5), every=1)
    told = [state.information_state_string(seat) for state in states for seat in range(setting[1])]
    assert len(set(told)) == len(told)


def tables_that_differ_in_a_secret(game: Any, seat: int) -> tuple[Any, Any]:
    """Deal twice, the second time with another tile from the bag in this seat's hand, then lay and draw the same."""
    states = game.new_initial_state(), game.new_initial_state()
    for state, tile in zip(states, (1, 7), strict=True):
        for number in range(3 * HAND):
            state.apply_action(tile if number == HAND * seat + 1 else number % HAND)
        state.apply_actions([state.legal_actions(player)[0] for player in range(3)])
        for kind in (4, 5, 6, 8):
            state.apply_action(DRAW - DEAL + kind)
    return states


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("perfect_recall", [False, True])
def test_a_secret_shows_only_to_the_seat_that_has_it(seat: int, perfect_recall: bool) -> None:
    game = pyspiel.load_game("python_smalti_mozaika(hands=hidden)")
    one, other = tables_that_differ_in_a_secret(game, seat)
    observation = make_observation(game, kind(perfect_recall=perfect_recall))
    for viewer in range(3):
        seen = []
        for state in (one, other):
            observation.set_from(state, viewer)
            seen.append((observation.string_from(state, viewer), observation.tensor.tolist()))
        assert (seen[0][0] == seen[1][0]) == (viewer != seat)
        assert (seen[0][1] == seen[1][1]) == (viewer != seat)


@pytest.mark.parametrize("seat", range(3))
def test_open_hands_are_no_secret(seat: int) -> None:
    one, other = tables_that_differ_in_a_secret(pyspiel.load_game("python_smalti_mozaika"), seat)
    for viewer in range(3):
        assert one.information_state_string(viewer) != other.information_state_string(viewer)
        assert one.observation_tensor(viewer) != other.observation_tensor(viewer)


def test_bids_are_seen_once_all_have_bid() -> None:
    game = pyspiel.load_game("python_smalti_mozaika(hands=hidden)")
    one, other = (tables_that_differ_in_a_secret(game, 0)[0] for _ in range(2))
    one.apply_actions([1, 2, 3])
    other.apply_actions([1, 2, 4])
    assert one.information_state_string(0).endswith("; 0 bid 1; 1 bid 2; 2 bid 3")
    assert one.information_state_string(0) != other.information_state_string(0)


# --- Public and private


@every_setting
def test_only_hidden_hands_are_private(setting: Setting) -> None:
    game, (_, seats, options) = loaded(*setting), setting
    for recall in (False, True):
        private = make_observation(game, kind(public_info=False, perfect_recall=recall))
        state = played(game, random.Random(1), HAND * seats)
        private.set_from(state, 0)
        assert bool(private.string_from(state, 0)) == (options.get("hands") == "hidden")
        assert (private.tensor.any() and not recall) == (options.get("hands") == "hidden" and not recall)


def told(state: Any, seat: int, **parts: Any) -> str:
    return str(make_observation(state.get_game(), kind(**parts)).string_from(state, seat))


def test_what_is_public_is_the_same_for_everybody() -> None:
    one, other = tables_that_differ_in_a_secret(pyspiel.load_game("python_smalti_mozaika(hands=hidden)"), 1)
    for recall in (False, True):
        texts = {told(s, n, private_info=Private.NONE, perfect_recall=recall) for s in (one, other) for n in range(3)}
        assert len(texts) == 1
        assert "hand: R" not in min(texts)


def test_private_and_public_parts_can_be_had_alone() -> None:
    state = played(pyspiel.load_game("python_smalti_mozaika(hands=hidden)"), random.Random(1), 12)
    assert told(state, 1, public_info=False) == "hand: B2 B2 B4 Y2"
    assert told(state, 1, public_info=False, perfect_recall=True) == "deal B2; deal B2; deal B4; deal Y2"
    assert told(state, 1, public_info=False, private_info=Private.NONE) == ""
    assert told(state, 1, public_info=False, private_info=Private.ALL_PLAYERS).count("hand: ") == 3
    assert "?" not in told(state, 1, private_info=Private.ALL_PLAYERS, perfect_recall=True)


def test_observers_can_be_made_as_openspiel_makes_them() -> None:
    game = pyspiel.load_game("python_smalti_patterns")
    state = played(game, random.Random(1), 60)
    for observer in (game.make_py_observer(), game.make_py_observer({}), make_observation(game)):
        assert observer.string_from(state, 0) == state.observation_string(0)
    assert game.make_observer(kind(), {}) is not None
    assert game.make_observer({}) is not None
