"""OpenSpiel's own checks, run on our games."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

from smalti.engine.game import Game
from smalti.research import spiel
from smalti.research.setting import fewest
from tests.research.spiel_games import last_round, loaded, nearly_over
from tests.support import EVERY_SETTING, SETTING_NAMES

Setting = tuple[Game, int, dict[str, str]]


def is_telling(setting: Setting) -> bool:
    """Say whether a setting is one of those to check: all numbers of players, and all options with the fewest."""
    game, seats, options = setting
    return seats == fewest(game) or all(options[name] == values[0] for name, values in game.options.items())


TELLING = [(setting, name) for setting, name in zip(EVERY_SETTING, SETTING_NAMES, strict=True) if is_telling(setting)]
telling_settings = pytest.mark.parametrize("setting", [s for s, _ in TELLING], ids=[name for _, name in TELLING])
PLAYTHROUGHS = sorted((Path(__file__).parent.parent / "golden" / "openspiel").glob("*.txt"))


def turn_based(game: Any) -> Any:
    """Return the game with seats that act together put in turn."""
    is_simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if is_simultaneous else game


# --- Random games


@telling_settings
def test_random_games_pass_the_compiled_checks(setting: Setting) -> None:
    pyspiel.random_sim_test(loaded(*setting), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rewards", ["margin", "points"])
@pytest.mark.parametrize("name", ["mosaix", "mozaika", "patterns"])
def test_other_rewards_pass_the_compiled_checks(name: str, rewards: str) -> None:
    game = pyspiel.load_game(f"python_smalti_{name}(rewards={rewards})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_games_with_a_start_pass_the_compiled_checks() -> None:
    for match in (nearly_over("patterns", 2, 9), nearly_over("mosaix", 4, 13), last_round(hands="hidden")):
        pyspiel.random_sim_test(spiel.after(match, limit=30), num_sims=3, serialize=True, verbose=False)


@telling_settings
def test_random_games_pass_the_checks_in_python(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    games_sim_test.GamesSimTest().sim_game(loaded(*setting))
    games_sim_test.GamesSimTest().sim_game(turn_based(loaded(*setting)))
    assert capsys.readouterr().out.count("terminated with") == 2


LEFT_OVER = """
import pyspiel, smalti.research
game = pyspiel.load_game("python_smalti_mozaika(hands=hidden)")
state, observer = game.new_initial_state(), game.make_py_observer()
state.apply_action(0)
"""


def test_python_can_end_while_games_are_there() -> None:
    result = subprocess.run([sys.executable, "-c", LEFT_OVER], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


# --- What the interface promises

API_TEST = """
import sys, unittest
import smalti.research
from absl import flags
from open_spiel.integration_tests import api_test
flags.FLAGS(["api_test", "--test_only_games=^python_smalti_"])
unittest.main(api_test, argv=["api_test", "-v"])
"""


def test_the_interface_is_as_openspiel_wants_it() -> None:
    result = subprocess.run([sys.executable, "-c", API_TEST], capture_output=True, text=True, check=False)
    tested = re.findall(r"^test_\w+ \(.*EnforceAPIPartialTree_(\w+)_Test", result.stderr, re.MULTILINE)
    assert result.returncode == 0, result.stderr
    assert set(tested) == {"python_smalti_mosaix", "python_smalti_mozaika", "python_smalti_patterns"}
    assert len(tested) == 15


def failures(base: Any, name: str, game: Any) -> list[str]:
    """Run OpenSpiel's tests of the interface on a game, and return what they say."""
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(type(name, (base,), {"game_name": name, "game": game}))
    result = unittest.TestResult()
    tests.run(result)
    assert result.testsRun == tests.countTestCases() > 4
    return [told for _, told in result.failures + result.errors]


@pytest.mark.parametrize(
    "name",
    ["mosaix(players=1)", "mosaix(players=3,end=blocked)", "mozaika(hands=hidden)", "mozaika(players=5)", "patterns"],
)
def test_the_interface_holds_deep_in_games_put_in_turn(name: str) -> None:
    game = turn_based(pyspiel.load_game(f"python_smalti_{name}"))
    assert failures(api_test.EnforceAPIOnPartialTreeBase, name, game) == []


# By name: events left and seed, nodes of chance, of seats and ends in the whole tree, and how many information states.
SMALL: dict[str, tuple[Any, tuple[int, int, int], int]] = {
    "patterns": (lambda: nearly_over("patterns", 2, 4), (0, 43, 80), 43),
    "mosaix, solo": (lambda: nearly_over("mosaix", 1, 3, seed=6), (1, 177, 258), 177),
    "mozaika": (lambda: nearly_over("mozaika", 3, 4, hands="hidden"), (0, 64, 672), 51),
}


@pytest.mark.parametrize("name", list(SMALL))
def test_the_whole_tree_of_a_small_game_is_as_openspiel_wants_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, nodes, information_states = SMALL[name]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, information_states)
    assert failures(api_test.EnforceAPIOnFullTreeBase, name, turn_based(spiel.after(match(), limit=10))) == []


# --- Playthroughs, made by tools/playthroughs.py


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=[file.stem for file in PLAYTHROUGHS])
def test_a_playthrough_is_as_it_was(file: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    then, now = generate_playthrough.replay(str(file))
    assert now.splitlines() == then.splitlines()


def test_every_game_has_a_playthrough() -> None:
    kept = "".join(file.read_text(encoding="utf-8") for file in PLAYTHROUGHS)
    played = set(re.findall(r'^GameType.short_name = "(.*)"$', kept, re.MULTILINE))
    assert played == {name for name in pyspiel.registered_names() if "smalti" in name}
    assert all(file.stat().st_size < 150_000 for file in PLAYTHROUGHS)
