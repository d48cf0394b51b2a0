"""OpenSpiel: the same games as everywhere else, with all that OpenSpiel asks for."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import smalti
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.engine.rules import NOBODY, acting
from smalti.games.mosaix.tables import PASS
from smalti.research import spiel
from smalti.research.setting import REWARDS
from smalti.research.spiel.start import start_text
from tests.research.spiel_games import CHANCE, TOGETHER, deal, last_round, loaded, nearly_over, play, played
from tests.support import EVERY_SETTING, SETTING_NAMES, random_match, step

Setting = tuple[Game, int, dict[str, str]]
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)
NAMES = ["python_smalti_mosaix", "python_smalti_mozaika", "python_smalti_patterns"]
Kinds = pyspiel.GameType


# --- What there is


def test_all_games_are_registered_once() -> None:
    before = pyspiel.registered_names()
    spiel.register()
    assert pyspiel.registered_names() == before
    assert (
        [name for name in before if "smalti" in name] == NAMES == [spiel.short_name(g) for g in smalti.games.everyone()]
    )


@pytest.mark.parametrize(("name", "players"), list(zip(NAMES, (2, 3, 2), strict=True)))
def test_nobody_need_say_how_many_play(name: str, players: int) -> None:
    assert pyspiel.load_game(name).num_players() == players
    assert str(pyspiel.load_game(name)) == f"{name}()"


def test_chance_has_the_same_number_in_the_engine_and_in_openspiel() -> None:
    assert NOBODY == CHANCE


@every_setting
def test_the_type_says_what_kind_of_game_it_is(setting: Setting) -> None:
    game, seats, options = setting
    for rewards in REWARDS:
        kind = loaded(*setting, rewards=rewards).get_type()
        is_simultaneous = game.together and seats > 1
        hides = options.get("hands") == "hidden"
        is_zero_sum = rewards != "points" and seats > 1
        assert (kind.dynamics == Kinds.Dynamics.SIMULTANEOUS) == is_simultaneous
        assert (kind.information == Kinds.Information.IMPERFECT_INFORMATION) == hides
        assert (kind.utility == Kinds.Utility.ZERO_SUM) == is_zero_sum
        assert (loaded(*setting, rewards=rewards).utility_sum() == 0) == is_zero_sum
        assert kind.chance_mode == Kinds.ChanceMode.EXPLICIT_STOCHASTIC


@every_setting
def test_seats_act_together_only_where_the_type_says_so(setting: Setting) -> None:
    game, together = loaded(*setting), False
    state, luck = game.new_initial_state(), random.Random(4)
    while not state.is_terminal():
        together |= state.current_player() == TOGETHER
        play(state, luck)
    assert together == (game.get_type().dynamics == Kinds.Dynamics.SIMULTANEOUS)


# --- The same game as a match


def follow(state: Any, match: Match, luck: random.Random) -> None:
    """Let chance, or all who act, do something at random in the match, and the same in the state."""
    table, actions, seats = match.table, match.game.actions, sorted(match.acting)
    if match.awaits_chance:
        for move in match.game.notation.chance_moves(table, match.draw(luck).do):
            state.apply_action(move - actions)
        return
    luck.shuffle(seats)
    chosen = {seat: luck.choice(match.legal_moves(seat)) for seat in seats}
    for seat, move in chosen.items():
        match.play(seat, move)
    if len(seats) > 1:
        state.apply_actions([chosen.get(seat, 0) for seat in range(match.seats)])
    else:
        state.apply_action(chosen[state.current_player()])


def chances_of(state: Any, game: Game) -> dict[int, float]:
    return {game.actions + action: chance for action, chance in state.chance_outcomes()}


@every_setting
def test_it_is_the_same_game_as_a_match(setting: Setting) -> None:
    game, seats, _ = setting
    state, match, luck = loaded(*setting, rewards="points").new_initial_state(), Match(*setting), random.Random(seats)
    while not match.is_over:
        assert state.is_chance_node() == match.awaits_chance
        if match.awaits_chance:
            assert chances_of(state, game) == pytest.approx(match.chances())
        else:
            assert [state.legal_actions(seat) for seat in range(seats)] == [match.legal_moves(s) for s in range(seats)]
        follow(state, match, luck)
    assert state.is_terminal()
    assert state.returns() == match.scores


@every_setting
@pytest.mark.parametrize("rewards", list(REWARDS))
def test_rewards_come_at_the_end_and_add_up(setting: Setting, rewards: str) -> None:
    game = loaded(*setting, rewards=rewards)
    state, luck = game.new_initial_state(), random.Random(9)
    while not state.is_terminal():
        assert state.returns() == state.rewards() == [0] * game.num_players()
        play(state, luck)
    assert state.rewards() == state.returns()
    assert all(game.min_utility() <= worth <= game.max_utility() for worth in state.returns())
    if game.get_type().utility == Kinds.Utility.ZERO_SUM:
        assert sum(state.returns()) == pytest.approx(0, abs=1e-9)


@every_setting
def test_who_wins_gets_most(setting: Setting) -> None:
    _, seats, _ = setting
    if seats > 1:
        state, match, luck = loaded(*setting).new_initial_state(), Match(*setting), random.Random(seats)
        while not match.is_over:
            follow(state, match, luck)
        best = max(state.returns())
        assert [seat for seat in range(seats) if state.returns()[seat] == best] == match.winners


# --- Where it begins and where it is cut off


@every_setting
def test_a_game_can_go_on_from_a_match(setting: Setting) -> None:
    _, seats, _ = setting
    for events in (0, 3, 6, 17, 30):
        match = random_match(*setting, random.Random(events), events)
        if match.is_over:
            continue
        state = pyspiel.load_game(str(spiel.after(match))).new_initial_state()
        assert state.is_chance_node() == match.awaits_chance
        assert acting(match.table) == state.node.who
        if not match.awaits_chance:
            assert [state.legal_actions(seat) for seat in range(seats)] == [match.legal_moves(s) for s in range(seats)]
        assert state.history() == []


def test_a_start_is_letters_and_digits() -> None:
    match = nearly_over("mozaika", 3, 5)
    assert start_text(match).isalnum()
    assert str(spiel.after(match, "margin")) == f"python_smalti_mozaika(rewards=margin,start={start_text(match)})"


def test_a_start_may_lie_between_those_who_act_together() -> None:
    match = last_round()
    match.play(1, "bid 0")
    state = spiel.after(match).new_initial_state()
    assert state.is_simultaneous_node()
    assert state.legal_actions(1) == []
    state.apply_actions([0, 99, 0])
    assert state.information_state_string(2) == "seat 2\n0 bid 0; 2 bid 0"
    match.play(0, "bid 0")
    assert spiel.after(match).new_initial_state().current_player() == 2


def test_a_limit_cuts_off_after_so_many_decisions() -> None:
    game = pyspiel.load_game("python_smalti_mozaika(limit=7,rewards=points)")
    state = played(game, random.Random(2))
    assert game.max_game_length() == 7
    assert [item.player for item in state.full_history() if item.player >= 0][:6] == [0, 1, 2, 0, 1, 2]
    assert " pick " in state.information_state_string(0).split("; ")[-1]
    assert state.move_number() == 12 + 1 + 4 + 1 + 1
    assert state.is_terminal()


def fits_nobody(state: Any) -> int | None:
    """Return an arrangement that nobody can write, if there is one."""
    actions: list[int] = state.legal_actions()
    for action in actions:
        after = state.child(action)
        if all(after.legal_actions(seat) == [PASS] for seat in range(state.num_players())):
            return action
    return None


def conspired(game: Any) -> tuple[Any, int]:
    """Play with rollers who arrange what nobody can write; return the end, and how often they could."""
    state, passes, luck = game.new_initial_state(), 0, random.Random(1)
    while not state.is_terminal():
        chosen = fits_nobody(state) if state.current_player() >= 0 else None
        if chosen is None:
            play(state, luck)
        else:
            state.apply_action(chosen)
            passes += 1
    return state, passes


def decisions(state: Any) -> int:
    """Count what the seats have decided."""
    return len([item for item in state.full_history() if item.player >= 0])


def test_a_game_in_which_nobody_can_write_any_more_ends_by_its_rules() -> None:
    game = pyspiel.load_game("python_smalti_mosaix")
    state, passes = conspired(game)
    assert passes == 2
    assert decisions(state) < game.max_game_length() == 582
    assert state.node.who == 0
    assert sum(state.returns()) == 0


def test_a_game_by_old_rules_that_would_go_on_for_ever_is_cut_off() -> None:
    game = pyspiel.load_game("python_smalti_mosaix(rules=1)")
    state, passes = conspired(game)
    assert passes > 100
    assert decisions(state) == game.max_game_length() == 582
    assert state.node.who != 0
    assert sum(state.returns()) == 0


def test_a_game_goes_on_by_the_version_of_the_match_it_begins_with() -> None:
    for version, name in ((1, "rules=1"), (2, "")):
        match = random_match(smalti.games.find("mosaix", version), 2, {}, random.Random(1), 5)
        game = spiel.after(match)
        assert name in str(game)
        assert ("rules" in str(game)) == (version == 1)
        assert game.new_initial_state().node.tree.game is match.game


def check_lengths(game: Any, state: Any) -> None:
    """Check that a history is not longer than the game declares."""
    dealt = [item.action for item in state.full_history() if item.player == CHANCE]
    assert len(dealt) <= game.max_chance_nodes_in_history()
    assert max(dealt, default=0) < game.max_chance_outcomes()
    assert state.move_number() - len(dealt) <= game.max_game_length()
    assert len(state.full_history()) <= game.max_history_length()
    assert len(state.information_state_tensor(0)) == game.information_state_tensor_size()


@every_setting
def test_no_game_is_longer_than_declared(setting: Setting) -> None:
    check_lengths(loaded(*setting), played(loaded(*setting), random.Random(6)))


@every_setting
def test_no_game_with_a_start_and_a_limit_is_longer_than_declared(setting: Setting) -> None:
    match, luck = Match(*setting), random.Random(7)
    while not match.is_over:
        for limit in (1, 2, 3, 5, 9):
            game = spiel.after(match, limit=limit)
            check_lengths(game, played(game, luck))
        for _ in range(1 + len(match.events) // 4):
            if not match.is_over:
                step(match, luck)


# --- Copies


@every_setting
def test_a_copy_never_changes(setting: Setting) -> None:
    luck = random.Random(3)
    state = played(loaded(*setting), luck, 20)
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        before = (str(twin), twin.history(), twin.information_state_string(0), twin.observation_tensor(0))
        while not state.is_terminal():
            play(state, luck)
        assert (str(twin), twin.history(), twin.information_state_string(0), twin.observation_tensor(0)) == before
        state = twin


@every_setting
def test_games_and_states_survive_as_text(setting: Setting) -> None:
    game, luck = loaded(*setting, rewards="margin"), random.Random(8)
    for steps in (0, 30, 10**9):
        state = played(game, luck, steps)
        again, same = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(game) == str(pickle.loads(pickle.dumps(game)))
        assert (str(same), same.history(), same.returns()) == (str(state), state.history(), state.returns())
        assert same.information_state_string(0) == state.information_state_string(0)
        assert same.current_player() == state.current_player()


def test_a_game_from_a_pickle_can_be_played() -> None:
    game = pickle.loads(pickle.dumps(pyspiel.load_game("python_smalti_mosaix(players=1)")))
    assert played(game, random.Random(0)).is_terminal()


def test_lists_belong_to_whoever_asked() -> None:
    state = pyspiel.load_game("python_smalti_patterns").new_initial_state()
    for ask in (state.legal_actions, state.chance_outcomes):
        expected = ask()
        ask().clear()
        assert ask() == expected
    deal(state, random.Random(0))
    expected = state.legal_actions()
    state.legal_actions().clear()
    assert state.legal_actions() == expected == np.flatnonzero(state.legal_actions_mask()).tolist()
