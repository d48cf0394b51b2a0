"""Many games stepped together are the very games that are played one by one."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import smalti
import smalti.research
from smalti.engine.errors import BadInput
from smalti.engine.game import Game
from tests.support import EVERY_SETTING, SETTING_NAMES, few, random_match

Setting = tuple[Game, int, Any]
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)


def many(setting: Setting, games: int, **more: Any) -> Any:
    game, seats, options = setting
    return smalti.research.vector_env(game.name, seats, games, **options, **more)


def one(setting: Setting) -> Any:
    game, seats, options = setting
    return smalti.research.aec_env(game.name, seats, **options)


def restarted(env: Any, seed: int | None) -> tuple[str, Any]:
    env.reset(seed=seed)
    return env.agent_selection, env.observe(env.agent_selection)


@every_setting
def test_each_game_is_the_one_a_single_environment_plays(setting: Setting) -> None:
    batch, singles = many(setting, 3, seed=40), [one(setting) for _ in range(3)]
    observations, found = batch.reset()
    shown = [restarted(env, 40 + number) for number, env in enumerate(singles)]
    luck, ended = random.Random(2), 0
    for _ in range(few(300)):
        for number, (agent, seen) in enumerate(shown):
            assert found["seat"][number] == int(agent[-1])
            assert np.array_equal(observations[number], seen["observation"])
            assert np.array_equal(found["action_mask"][number], seen["action_mask"])
        actions = [luck.choice(mask.nonzero()[0].tolist()) for mask in found["action_mask"]]
        observations, rewards, over, _, found = batch.step(np.array(actions))
        for number, env in enumerate(singles):
            agent = env.agent_selection
            env.step(actions[number])
            assert env.terminations[agent] == over[number]
            assert found["rewards"][number].tolist() == np.array(list(env.rewards.values()), np.float32).tolist()
            assert rewards[number] == np.float32(env.rewards[agent])
            if over[number]:
                ended += 1
                assert np.array_equal(found["final_obs"][number], env.observe(agent)["observation"])
                shown[number] = restarted(env, None)
            else:
                shown[number] = env.agent_selection, env.observe(env.agent_selection)
    assert ended or few(300) < 300


@every_setting
def test_a_seed_determines_the_whole_run(setting: Setting) -> None:
    def run(seed: int) -> bytes:
        env = many(setting, 4, seed=seed)
        seen = [env.reset()[0].tobytes()]
        seen += [b"".join(array.tobytes() for array in env.step(env.sample())[:4]) for _ in range(few(100))]
        return b"".join(seen)

    assert run(3) == run(3) != run(4)


def test_seeds_can_be_given_for_each_game() -> None:
    env = many(EVERY_SETTING[0], 3)
    alike, _ = env.reset(seed=[5, 9, 5])
    assert np.array_equal(alike[0], alike[2])
    assert np.array_equal(env.reset(seed=5)[0][0], alike[0])
    with pytest.raises(BadInput, match="3 games and 2 seeds"):
        env.reset(seed=[1, 2])


@every_setting
def test_what_is_written_into_the_callers_buffers_is_what_is_returned(setting: Setting) -> None:
    ours, theirs = many(setting, 5, seed=1), many(setting, 5, seed=1)
    buffers = theirs.buffers()
    ours.reset()
    observation, _ = theirs.reset(out=buffers)
    assert observation is buffers.observation
    for _ in range(few(60)):
        step = ours.step(ours.sample())
        theirs.step(theirs.sample(), out=buffers)
        assert np.array_equal(step[0], buffers.observation)
        assert np.array_equal(step[1], buffers.reward)
        assert np.array_equal(step[2], buffers.terminated)
        assert np.array_equal(step[4]["action_mask"], buffers.action_mask)


def test_new_arrays_are_not_written_again() -> None:
    env = many(EVERY_SETTING[0], 4, seed=1)
    first, _ = env.reset()
    kept = first.copy()
    env.step(env.sample())
    assert np.array_equal(first, kept)


def test_buffers_that_do_not_fit_are_refused_by_name() -> None:
    env = many(EVERY_SETTING[0], 4, seed=1)
    buffers = env.buffers()
    for name, wrong in (
        ("observation", buffers.observation.astype(np.float32)),
        ("action_mask", buffers.action_mask[:, :-1]),
        ("rewards", buffers.rewards[:2]),
        ("seat", None),
    ):
        with pytest.raises(BadInput, match=f"{name} has to be"):
            env.reset(out=buffers._replace(**{name: wrong}))


@every_setting
def test_every_sampled_action_is_legal(setting: Setting) -> None:
    env = many(setting, 16, seed=2)
    _, found = env.reset()
    for _ in range(few(150)):
        actions = env.sample()
        assert found["action_mask"][np.arange(16), actions].all()
        *_, found = env.step(actions)
        assert not found["illegal"].any()


def test_an_illegal_move_ends_only_its_game() -> None:
    env = smalti.research.vector_env("patterns", games=3, seed=1)
    env.reset()
    actions = env.sample()
    actions[1] = env.setting.game.numbers["done"]
    _, rewards, over, _, found = env.step(actions)
    assert over.tolist() == [False, True, False]
    assert found["illegal"].tolist() == [False, True, False]
    assert rewards.tolist() == [0, -1, 0]
    assert found["rewards"].tolist() == [[0, 0], [0, -1], [0, 0]]
    assert found["seat"].tolist() == [0, 1, 0]  # the second game begins anew, and seat 1 gives the start tiles


@pytest.mark.parametrize("wild", [-1, 10**9, -(2**60)])
def test_actions_out_of_range_are_only_illegal(wild: int) -> None:
    env = smalti.research.vector_env("mosaix", games=2, seed=1)
    env.reset()
    assert env.step(np.array([wild, wild]))[4]["illegal"].all()


@pytest.mark.parametrize("actions", [np.zeros(3), np.zeros(4, np.int64), np.int64(3), [["a"]]])
def test_what_are_no_actions_is_invalid(actions: Any) -> None:
    env = smalti.research.vector_env("mosaix", games=3, seed=1)
    env.reset()
    with pytest.raises(gymnasium.error.InvalidAction, match="one for each game"):
        env.step(actions)


def test_steps_before_the_start_need_a_reset() -> None:
    env = smalti.research.vector_env("mosaix", games=3)
    for call in (lambda: env.step(np.zeros(3, np.int64)), env.sample, env.action_masks):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()


@pytest.mark.parametrize("opponents", ["random", "greedy"])
@pytest.mark.parametrize("name", ["mosaix", "mozaika", "patterns"])
def test_against_opponents_only_ones_own_seat_is_asked(name: str, opponents: str) -> None:
    env = smalti.research.vector_env(name, games=4, seed=1, opponents=opponents, seat=1)
    _, found = env.reset()
    for _ in range(few(60)):
        assert found["seat"].tolist() == [1] * 4
        _, rewards, _, _, found = env.step(env.sample())
        assert np.array_equal(rewards, found["rewards"][:, 1])


def test_games_against_opponents_are_those_of_a_single_environment() -> None:
    env = smalti.research.vector_env("mozaika", games=1, seed=11, opponents=["greedy", "random"])
    single: Any = gymnasium.make("Smalti/Mozaika-v0", opponents=["greedy", "random"]).unwrapped
    observations, _ = env.reset()
    observation, _ = single.reset(seed=11)
    over = False
    while not over:
        assert np.array_equal(observations[0], observation)
        actions = env.sample()
        observations, rewards, ends, _, _ = env.step(actions)
        observation, reward, over, _, _ = single.step(int(actions[0]))
        assert (over, np.float32(reward)) == (ends[0], rewards[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games is a whole number from 1"),
        ({"games": 2.5}, "games is a whole number"),
        ({"games": 2, "opponents": lambda planes, mask: 0}, "known by name"),
        ({"games": 2, "opponents": ["random", "random"]}, "there are 1 opponents"),
        ({"games": 2, "seat": 2, "opponents": "random"}, "the seats are 0 to 1"),
        ({"games": 2, "players": 3}, "is played by 2 players"),
    ],
)
def test_settings_that_do_not_exist_are_value_errors(arguments: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        smalti.research.vector_env("patterns", **arguments)


def test_a_start_begins_every_game() -> None:
    match = random_match(smalti.games.find("patterns"), 2, {}, random.Random(3), 12)
    env = smalti.research.vector_env("patterns", games=2, seed=1, start=match)
    observations, found = env.reset()
    assert np.array_equal(observations[0], observations[1])
    assert found["action_mask"][0].nonzero()[0].tolist() == match.legal_moves(min(match.acting))
    with pytest.raises(BadInput, match="a start cannot have opponents"):
        smalti.research.vector_env("patterns", games=2, start=match, opponents="random")


def test_it_is_a_vector_environment_of_gymnasium() -> None:
    env = smalti.research.vector_env("mosaix", players=1, games=8, seed=0)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, _ = env.reset()
    assert env.observation_space.contains(observations)
    assert env.action_space.contains(env.sample())
    wrapped: Any = RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    episodes = []
    for _ in range(200):
        *_, found = wrapped.step(env.sample())
        if "episode" in found:
            episodes += found["episode"]["r"][found["_episode"]].tolist()
    assert len(episodes) > 10
    assert min(episodes) >= 0


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_alike_and_shares_nothing(copied: Callable[[Any], Any]) -> None:
    env = smalti.research.vector_env("mozaika", games=3, seed=1)
    env.reset()
    twin = copied(env)
    first = [env.step(env.sample())[0].tobytes() for _ in range(20)]
    assert [twin.step(twin.sample())[0].tobytes() for _ in range(20)] == first


def test_infos_can_be_listed_by_game() -> None:
    env: Any = DictInfoToList(smalti.research.vector_env("mosaix", games=2, seed=0))
    _, found = env.reset()
    assert [one["seat"] for one in found] == [0, 0]
    *_, found = env.step(env.unwrapped.sample())
    assert all(set(one) >= {"action_mask", "seat", "rewards"} for one in found)
