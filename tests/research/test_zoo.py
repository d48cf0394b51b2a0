"""PettingZoo: its own tests pass, and what they do not look at holds too."""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger

import smalti
import smalti.research
from smalti.engine.errors import BadInput, Refused
from smalti.engine.game import Game
from tests.support import EVERY_SETTING, SETTING_NAMES, few, random_match, unfinished_match

Setting = tuple[Game, int, Any]
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)

# What PettingZoo says of every environment whose observations carry a mask, except its own, which it knows by name.
ABOUT_MASKS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def turns(setting: Setting, **more: Any) -> Any:
    game, seats, options = setting
    return smalti.research.aec_env(game.name, seats, **options, **more)


def together(setting: Setting, **more: Any) -> Any:
    game, seats, options = setting
    return smalti.research.parallel_env(game.name, seats, **options, **more)


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Let PettingZoo's tests make illegal moves without a word about each."""
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


@contextmanager
def only_about_masks() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    assert {str(warning.message) for warning in told} <= ABOUT_MASKS


# --- PettingZoo's own tests


@every_setting
def test_the_api_test_passes(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    with only_about_masks():
        api_test(turns(setting), num_cycles=few(200))
    assert "Passed API test" in capsys.readouterr().out


@every_setting
def test_the_parallel_api_test_passes(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    with only_about_masks():
        parallel_api_test(together(setting), num_cycles=few(200))
    assert "Passed Parallel API test" in capsys.readouterr().out


@every_setting
def test_the_seed_tests_pass(setting: Setting) -> None:
    seed_test(lambda: turns(setting), num_cycles=few(20))
    parallel_seed_test(lambda: together(setting), num_cycles=few(20))


@pytest.mark.parametrize(("name", "players"), [("mosaix", 1), ("mosaix", 4), ("mozaika", 3), ("patterns", 2)])
def test_the_render_test_passes(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: smalti.research.aec_env(name, players, render_mode=render_mode))
    assert "seat 0" in capsys.readouterr().out or name == "patterns"


# --- Whole games


def play_turns(env: Any, seed: int, policy: int) -> list[tuple[Any, ...]]:
    """Play a game with random legal actions, and return everything that was seen and done."""
    env.reset(seed=seed)
    luck, seen = random.Random(policy), []
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        action = None if over or cut else luck.choice(observation["action_mask"].nonzero()[0].tolist())
        seen.append((agent, observation["observation"].tobytes(), reward, over, cut, action))
        env.step(action)
    return seen


def play_together(env: Any, seed: int, policy: int) -> list[Any]:
    """Play a game with random legal actions all at once, and return everything that was seen and done."""
    observations, _ = env.reset(seed=seed)
    luck, seen = random.Random(policy), []
    while env.agents:
        actions = {a: luck.choice(observations[a]["action_mask"].nonzero()[0].tolist()) for a in env.agents}
        observations, rewards, over, cut, _ = env.step(actions)
        seen.append(({a: o["observation"].tobytes() for a, o in observations.items()}, actions, rewards, over, cut))
    return seen


@every_setting
def test_a_seed_determines_the_whole_game(setting: Setting) -> None:
    for env, play in ((turns(setting), play_turns), (together(setting), play_together)):
        first, other = play(env, 7, 1), play(env, 8, 1)
        assert play(env, 7, 1) == first
        assert first != other


@every_setting
def test_games_without_a_seed_go_on_from_the_last_one(setting: Setting) -> None:
    env = turns(setting)
    several = []
    for _ in range(2):
        env.reset(seed=3)
        several.append([env.state().tobytes(), *(env.reset() or env.state().tobytes() for _ in range(3))])
    assert several[0] == several[1]
    assert len(set(several[0])) > 1


@every_setting
def test_rewards_come_at_the_end_and_follow_the_winners(setting: Setting) -> None:
    env = turns(setting)
    seen = play_turns(env, 5, 2)
    last = {agent: reward for agent, _, reward, over, _, _ in seen if over}
    assert set(last) == set(env.possible_agents)
    assert not any(reward for _, _, reward, over, _, _ in seen if not over)
    if len(last) > 1:
        assert sum(last.values()) == pytest.approx(0, abs=1e-6)
        winners = {agent for agent, reward in last.items() if reward == max(last.values())}
        assert winners == {f"player_{seat}" for seat in smalti.engine.bits.numbers(won(env))}


def won(env: Any) -> int:
    return int(env.setting.game.rules.winners(env.play.tables[0]))


@pytest.mark.parametrize("kind", ["points", "margin"])
def test_rewards_can_be_points_or_margins(kind: str) -> None:
    env = smalti.research.aec_env("mozaika", players=3, rewards=kind)
    last = [reward for _, _, reward, over, _, _ in play_turns(env, 1, 1) if over]
    scores = np.zeros(3, np.int32)
    env.setting.game.rules.score(env.play.tables[0], scores)
    if kind == "points":
        assert last == scores.tolist()
    else:
        assert last == pytest.approx([3 * own / 2 - scores.sum() / 2 for own in scores.tolist()])


@every_setting
def test_the_mask_is_what_a_match_allows(setting: Setting) -> None:
    match = unfinished_match(*setting, random.Random(4), 25)
    env = turns(setting, start=match)
    env.reset(seed=0)
    for seat in range(match.seats):
        mask = env.observe(f"player_{seat}")["action_mask"]
        assert mask.nonzero()[0].tolist() == match.legal_moves(seat)


def test_those_who_need_not_act_can_only_wait() -> None:
    env = smalti.research.parallel_env("patterns")
    observations, _ = env.reset(seed=1)
    allowed = {agent: seen["action_mask"].nonzero()[0].tolist() for agent, seen in observations.items()}
    assert allowed["player_0"] == [env.wait]
    assert len(allowed["player_1"]) == 2  # gives one of two start tiles
    observations, *_ = env.step({"player_0": 0, "player_1": allowed["player_1"][0]})
    assert observations["player_1"]["action_mask"].nonzero()[0].tolist() == [env.wait]


def test_everybody_bids_in_one_step() -> None:
    env = smalti.research.parallel_env("mozaika", players=4)
    observations, _ = env.reset(seed=1)
    phases = []
    luck = random.Random(1)
    for _ in range(3):
        actions = {a: luck.choice(o["action_mask"].nonzero()[0].tolist()) for a, o in observations.items()}
        phases.append({env.setting.game.verb(action) for action in actions.values() if action != env.wait})
        observations, *_ = env.step(actions)
    assert phases == [{"lay"}, {"bid"}, {"pick"}]


def test_the_names_of_pettingzoo_lead_to_the_games() -> None:
    from smalti.research import mosaix_v0, mozaika_v0, patterns_v0

    assert str(mosaix_v0.env(players=2)) == "mosaix_v0"
    assert str(mozaika_v0.parallel_env(players=5, hands="hidden")) == "mozaika_v0"
    assert patterns_v0.raw_env().possible_agents == ["player_0", "player_1"]
    with pytest.raises(AttributeError, match="chess_v0"):
        smalti.research.chess_v0  # noqa: B018


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@every_setting
def test_a_copy_goes_on_alike_and_shares_nothing(setting: Setting, copied: Callable[[Any], Any]) -> None:
    env = turns(setting)
    env.reset(seed=2)
    twin = copied(env)
    before = twin.state().tobytes()
    seen = go_on(env)
    assert twin.state().tobytes() == before
    assert go_on(twin) == seen
    assert twin.setting.game is env.setting.game


def go_on(env: Any) -> list[Any]:
    """Play on for a few moves, and return what was seen."""
    luck, seen = random.Random(3), list[Any]()
    while len(seen) < 8 and not env.last()[2]:
        env.step(luck.choice(env.last()[0]["action_mask"].nonzero()[0].tolist()))
        seen.append(env.state().tobytes())
    return seen


# --- Illegal moves and other mistakes


def test_an_illegal_move_ends_the_game_and_says_why() -> None:
    env = smalti.research.aec_env("patterns")
    env.reset(seed=1)
    env.step(env.setting.game.numbers["done"])
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert env.infos["player_1"]["illegal"]
    assert any("Illegal move" in message for message in EnvLogger.mqueue)


def test_everybody_who_moves_illegally_at_once_pays_for_it() -> None:
    env = smalti.research.parallel_env("mozaika", players=3)
    env.reset(seed=1)
    fly = env.setting.game.numbers["fly a1"]
    _, rewards, over, _, infos = env.step({"player_0": fly, "player_1": env.wait, "player_2": fly})
    assert rewards == {"player_0": -1.0, "player_1": -1.0, "player_2": -1.0}
    assert all(over.values())
    assert infos["player_0"]["illegal"]
    assert env.agents == []


def test_acting_seats_cannot_wait() -> None:
    env = smalti.research.parallel_env("mozaika", players=3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(Refused, match="cannot wait"):
        env.step(dict.fromkeys(env.agents, env.wait))


def test_an_illegal_move_can_be_an_error_that_changes_nothing() -> None:
    env = smalti.research.aec_env("mosaix", players=2, illegal="raise")
    env.reset(seed=1)
    before = env.state().tobytes()
    with pytest.raises(Refused) as refused:
        env.step(env.setting.game.numbers["pass"])
    assert refused.value.rule.startswith("MX-")
    assert env.state().tobytes() == before
    assert env.agent_selection == "player_0"
    env.step(int(env.observe("player_0")["action_mask"].argmax()))


@pytest.mark.parametrize("action", [-1, 10_000, 1.5, "roll", None])
def test_what_is_no_action_is_an_assertion_error(action: Any) -> None:
    env = smalti.research.aec_env("mosaix", players=2)
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(action)
    parallel = smalti.research.parallel_env("mosaix", players=2)
    parallel.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        parallel.step({"player_0": action, "player_1": action})


def test_an_action_that_is_missing_is_an_assertion_error() -> None:
    env = smalti.research.parallel_env("mozaika", players=3)
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="player_2 must act"):
        env.step({"player_0": 71, "player_1": 71})


@pytest.mark.parametrize("call", ["step", "observe", "render", "state"])
def test_nothing_works_before_reset(call: str) -> None:
    env = smalti.research.aec_env("patterns")
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called"):
        getattr(env, call)(*([0] if call == "step" else ["player_0"] if call == "observe" else []))


def test_after_the_end_agents_leave_and_steps_only_warn() -> None:
    env = smalti.research.aec_env("patterns")
    env.reset(seed=1)
    env.step(env.setting.game.numbers["done"])
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    env.step(None)
    env.step(None)
    assert env.agents == []
    env.step(None)
    assert any("step() called after" in message for message in EnvLogger.mqueue)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": 3}, "by its name"),
        ({"game": "mosaix", "players": 5}, "1, 2, 3, 4 players, not by 5"),
        ({"game": "mosaix", "players": "2"}, "not by '2'"),
        ({"game": "mozaika", "hands": "secret"}, "cannot be 'secret'"),
        ({"game": "mozaika", "speed": "fast"}, "has no option 'speed'"),
        ({"game": "patterns", "rewards": "money"}, "rewards are one of outcome, margin, points"),
        ({"game": "patterns", "render_mode": "film"}, "render_mode is one of"),
        ({"game": "patterns", "illegal": "forgive"}, "illegal is one of end, raise"),
    ],
)
def test_settings_that_do_not_exist_are_value_errors(arguments: Any, message: str) -> None:
    for make in (smalti.research.aec_env, smalti.research.parallel_env):
        with pytest.raises(ValueError, match=message) as bad:
            make(**arguments)
        assert isinstance(bad.value, BadInput)


def test_a_start_must_be_a_match_of_the_game_that_goes_on() -> None:
    over = random_match(smalti.games.find("patterns"), 2, {}, random.Random(1))
    begun = random_match(smalti.games.find("mosaix"), 2, {}, random.Random(1), 5)
    for arguments, message in (
        ({"game": "patterns", "start": over}, "is over"),
        ({"game": "patterns", "start": begun}, "a match of mosaix"),
        ({"game": "mosaix", "players": 3, "start": begun}, "has 2 players"),
        ({"game": "mosaix", "start": begun, "end": "blocked"}, "is played with"),
    ):
        with pytest.raises(BadInput, match=message):
            smalti.research.aec_env(**arguments)  # type: ignore[arg-type]


def test_a_game_ends_by_its_rules_and_is_never_cut_off() -> None:
    for name in smalti.games.names():
        seen = play_turns(smalti.research.aec_env(name), 1, 1)
        assert all(over for _, _, _, over, _, action in seen if action is None)
        assert not any(cut for *_, cut, _ in seen)


def test_a_game_goes_on_by_the_version_of_its_start() -> None:
    for version in (1, 2):
        start = random_match(smalti.games.find("mosaix", version), 2, {}, random.Random(1), 5)
        env = smalti.research.aec_env("mosaix", start=start)
        env.reset(seed=1)
        assert env.play.tables[0].patience == (0 if version == 1 else 2)
