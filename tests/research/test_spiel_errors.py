"""OpenSpiel: whatever is wrong is said in a sentence, and nothing has happened."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
import pytest

from smalti.research import spiel
from tests.research.spiel_games import deal, last_round, nearly_over, played


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("python_smalti_patterns(players=3)", "patterns is played by 2 players, not by 3"),
        ("python_smalti_mozaika(players=0)", "mozaika is played by 3, 4, 5 players, not by 0"),
        ("python_smalti_mosaix(cards=marked)", "option cards of mosaix cannot be 'marked'"),
        ("python_smalti_mosaix(rewards=money)", "rewards are one of outcome, margin, points; not 'money'"),
        ("python_smalti_mosaix(limit=583)", "a game is cut off after 1 to 582 decisions, not after 583"),
        ("python_smalti_mosaix(limit=-1)", "a game is cut off after 1 to 582 decisions, not after -1"),
        ("python_smalti_mosaix(rules=3)", "mosaix has no rules of version 3; it has: 1, 2"),
        ("python_smalti_mosaix(start=nonsense)", "a start is moves such as x969a0: .* not 'nonsense'"),
        ("python_smalti_mosaix(start=x5)", "a start is moves such as"),
        ("python_smalti_mosaix(start=a969)", "a start is moves such as"),
        ("python_smalti_mosaix(start=x984x)", "a start is moves such as"),
        ("python_smalti_mosaix(start=a0)", "Everybody needs a card first"),
        ("python_smalti_mosaix(start=x969)", "chance cannot do 'roll oooo' now"),
        ("python_smalti_mosaix(start=x999999999)", "chance cannot do 999999030 now"),
        ("python_smalti_mosaix(start=h0)", "Everybody needs a card first"),
        ("python_smalti_mosaix(start=x984x984x969b0)", "Seat 0"),
        ("python_smalti_mosaix(start=x984x984x969a5)", "dice"),
        ("python_smalti_mosaix(colour=red)", "Unknown parameter 'colour'"),
        ("python_smalti_mosaix(players=two)", "Wrong type for parameter players"),
        ("python_smalti_mosaix(start=12)", "Wrong type for parameter start"),
    ],
)
def test_a_wrong_parameter_is_refused_with_a_sentence(text: str, told: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=told):
        pyspiel.load_game(text)


def test_a_match_that_is_over_is_no_start() -> None:
    with pytest.raises(pyspiel.SpielError, match="the start is a game that is over"):
        spiel.after(nearly_over("patterns", 2, 0))


def refused(state: Any, told: str, play: Any, *actions: Any) -> None:
    """Check that this is refused with a sentence, and that nothing has happened."""
    before = (str(state), state.history(), state.move_number())
    with pytest.raises(pyspiel.SpielError, match=told):
        play(*actions)
    assert (str(state), state.history(), state.move_number()) == before


@pytest.mark.parametrize("action", [0, 5, 162, 163, 10**9, -2, -(10**9)])
def test_an_illegal_action_is_refused(action: int) -> None:
    state = deal(pyspiel.load_game("python_smalti_patterns").new_initial_state(), random.Random(1))
    refused(state, "start tiles|no action", state.apply_action, action)


def test_the_refusal_of_an_action_is_that_of_the_rules() -> None:
    state = deal(pyspiel.load_game("python_smalti_patterns").new_initial_state(), random.Random(1))
    refused(state, "start tile", state.apply_action, 0)
    refused(state, "there is no action 163; the actions are 0 to 162", state.apply_action, 163)


@pytest.mark.parametrize("action", [6, -2, -163, 10**9])
def test_chance_can_do_only_what_it_can(action: int) -> None:
    state = pyspiel.load_game("python_smalti_patterns").new_initial_state()
    refused(state, "chance cannot do", state.apply_action, action)


@pytest.mark.parametrize("name", ["python_smalti_mosaix", "python_smalti_mozaika", "python_smalti_patterns"])
def test_nothing_can_be_done_after_the_end(name: str) -> None:
    state = played(pyspiel.load_game(name), random.Random(1))
    refused(state, "the game is over", state.apply_action, 0)
    refused(state, "the game is over", state.apply_actions, [0] * state.num_players())
    refused(state, "chance does not act here", state.chance_outcomes)
    assert state.legal_actions() == state.legal_actions(0) == []


def test_those_who_act_together_play_together() -> None:
    state = spiel.after(last_round()).new_initial_state()
    refused(state, r"seats \[0, 1, 2\] act together: give one action for every player", state.apply_action, 0)
    refused(state, "act together", state.apply_actions, [0, 0])
    refused(state, "where several act together, ask for one of them", state.legal_actions)
    refused(state, "coins", state.apply_actions, [0, 0, 50])
    refused(state, "there is no action 9999", state.apply_actions, [0, 9999, 0])
    state.apply_actions([0, 0, 0])
    refused(state, "nobody acts together here: give one action", state.apply_actions, [0, 0, 0])


def test_texts_of_actions_can_be_read_again() -> None:
    state = spiel.after(last_round()).new_initial_state()
    for player in range(3):
        for action in state.legal_actions(player):
            assert state.string_to_action(player, state.action_to_string(player, action)) == action
    refused(state, "player 1 cannot do 'bid 50' now", state.string_to_action, 1, "bid 50")
    state.apply_actions([0, 0, 0])
    assert state.string_to_action(state.action_to_string(state.legal_actions()[0])) == state.legal_actions()[0]
    refused(state, "there is no action 279; the actions are 0 to 278", state.action_to_string, 0, 279)
    refused(state, "there is no action 24; the actions are 0 to 23", state.action_to_string, -1, 24)


def test_observers_take_no_parameters() -> None:
    with pytest.raises(pyspiel.SpielError, match="observers of mosaix take no parameters"):
        pyspiel.load_game("python_smalti_mosaix").make_py_observer(None, {"size": 3})


@pytest.mark.parametrize("perfect_recall", [False, True])
@pytest.mark.parametrize("seat", [-1, 2, 10**6])
def test_nobody_else_can_look(seat: int, perfect_recall: bool) -> None:
    game = pyspiel.load_game("python_smalti_patterns")
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=perfect_recall))
    for look in (observer.set_from, observer.string_from):
        with pytest.raises(pyspiel.SpielError, match=r"there is no seat .*; the seats are 0 to 1"):
            look(game.new_initial_state(), seat)
