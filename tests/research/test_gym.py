"""Gymnasium: its own checks pass, for one seat alone and against opponents."""

from __future__ import annotations

import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import smalti
import smalti.research
from smalti.engine.errors import BadInput, Refused
from smalti.research.gym import names
from tests.support import few, random_match

IDS = ("Smalti/MosaixSolo-v0", "Smalti/Mosaix-v0", "Smalti/Mozaika-v0", "Smalti/Patterns-v0")


def made(name: str, **arguments: Any) -> Any:
    return gymnasium.make(name, **arguments).unwrapped


def played(env: Any, seed: int, policy: int) -> list[Any]:
    """Play a game with random legal actions, and return everything that was seen and done."""
    observation, found = env.reset(seed=seed)
    luck, seen, over, reward = random.Random(policy), [], False, 0.0
    while not over:
        action = luck.choice(found["action_mask"].nonzero()[0].tolist())
        seen.append((observation.tobytes(), reward, action))
        observation, reward, terminated, truncated, found = env.step(action)
        over = terminated or truncated
    return [*seen, (observation.tobytes(), reward, None)]


def test_the_names_are_registered() -> None:
    assert set(names()) == set(IDS)
    assert set(IDS) <= set(gymnasium.registry)
    smalti.research.register()  # once more does no harm


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_check_env_passes_without_a_warning(name: str, opponents: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(name, opponents=opponents))
    assert "●" not in capsys.readouterr().out


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_number_of_players_passes(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(made("Smalti/Mozaika-v0", players=players, seat=players - 1, hands="hidden"))


@pytest.mark.parametrize("name", IDS)
def test_a_seed_determines_the_whole_game(name: str) -> None:
    env = made(name)
    first = played(env, 7, 1)
    assert played(env, 7, 1) == first
    assert played(env, 8, 1) != first


@pytest.mark.parametrize("name", IDS)
def test_the_mask_comes_with_the_info_and_by_a_method(name: str) -> None:
    env = made(name)
    _, found = env.reset(seed=1)
    assert found["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), found["action_mask"])
    assert env.action_space.sample(found["action_mask"]) in env.setting.game.numbers.values()
    assert found["action_mask"].any()


def test_the_reward_alone_is_the_points() -> None:
    env = made("Smalti/MosaixSolo-v0")
    *_, last = played(env, 3, 1)
    scores = np.zeros(1, np.int32)
    env.setting.game.rules.score(env.play.tables[0], scores)
    assert last[1] == scores[0] > 0


def mean_reward(opponents: Any, games: int, **more: Any) -> float:
    env = made("Smalti/Mosaix-v0", opponents=opponents, rewards="margin", **more)
    return float(np.mean([played(env, seed, seed)[-1][1] for seed in range(games)]))


def test_greedy_opponents_are_stronger_than_random_ones() -> None:
    games = few(200)
    assert games < 100 or mean_reward("greedy", games) < mean_reward("random", games) - 5


def test_an_opponent_can_be_a_function() -> None:
    asked = []

    def first_legal(observation: Any, mask: Any) -> int:
        asked.append(observation.shape)
        return int(mask.argmax())

    env = made("Smalti/Mozaika-v0", players=4, seat=2, opponents=["random", first_legal, "greedy"])
    played(env, 1, 1)
    assert set(asked) == {env.setting.shape}
    assert env.seating == ["random", first_legal, None, "greedy"]


def test_an_opponent_that_moves_illegally_is_told_so() -> None:
    env = made("Smalti/Patterns-v0", opponents=lambda observation, mask: int(mask.argmin()))
    with pytest.raises(Refused):
        env.reset(seed=1)


def test_an_illegal_move_ends_the_game_and_says_why() -> None:
    env = made("Smalti/MosaixSolo-v0")
    env.reset(seed=1)
    _, reward, terminated, truncated, found = env.step(env.setting.game.numbers["pass"])
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert found["illegal"]
    assert not found["action_mask"].any()


def test_an_illegal_move_can_be_an_error_that_changes_nothing() -> None:
    env = made("Smalti/MosaixSolo-v0", illegal="raise")
    _, found = env.reset(seed=1)
    with pytest.raises(Refused):
        env.step(env.setting.game.numbers["pass"])
    env.step(int(found["action_mask"].argmax()))


def test_steps_before_the_start_and_after_the_end_need_a_reset() -> None:
    env = made("Smalti/Patterns-v0")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    env.step(env.setting.game.numbers["done"])
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make("Smalti/Patterns-v0").step(0)


@pytest.mark.parametrize("action", [-1, 969, 0.5, "form", None, True])
def test_what_is_no_action_is_invalid(action: Any) -> None:
    env = made("Smalti/MosaixSolo-v0")
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(action)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 9}, "is played by"),
        ({"opponents": "champion"}, "an opponent is 'random', 'greedy' or a function"),
        ({"opponents": ["random"] * 7}, "there are 2 opponents at this table, not 7"),
        ({"seat": 3}, "the seats are 0 to 2"),
        ({"hands": "shown"}, "it can be: open, hidden"),
    ],
)
def test_settings_that_do_not_exist_are_value_errors(arguments: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        made("Smalti/Mozaika-v0", **arguments)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises((BadInput, gymnasium.error.Error)):
        made("Smalti/Patterns-v0").reset(seed=seed)


def test_names_that_do_not_exist_are_gymnasiums_error() -> None:
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("Smalti/Chess-v0")


def test_a_start_after_which_the_seat_never_acts_is_refused() -> None:
    match = random_match(smalti.games.find("patterns"), 2, {}, random.Random(6))
    match.undo()
    (last,) = match.acting
    end = int(match.legal_moves(last)[-1])  # whether this ends the game is what the next line makes sure of
    over = match.copy()
    over.play(last, end)
    assert over.is_over
    env = made("Smalti/Patterns-v0", start=match, seat=1 - last, opponents=lambda planes, mask: end)
    with pytest.raises(BadInput, match="can end before seat"):
        env.reset(seed=1)


def test_the_pictures_of_a_game_have_one_size() -> None:
    env = made("Smalti/Mosaix-v0", render_mode="rgb_array")
    env.reset(seed=1)
    sizes = set()
    for _ in range(6):
        env.step(int(env.action_masks().argmax()))
        sizes.add(env.render().shape)
    assert len(sizes) == 1
    assert made("Smalti/Mosaix-v0", render_mode="ansi").metadata["render_modes"] == ["human", "ansi", "rgb_array"]


def test_many_games_by_gymnasiums_name() -> None:
    env = gymnasium.make_vec("Smalti/Mosaix-v0", num_envs=3, vectorization_mode="vector_entry_point", players=3)
    _, found = env.reset(seed=1)
    assert found["seat"].tolist() == [0, 0, 0]
    assert found["rewards"].shape == (3, 3)
