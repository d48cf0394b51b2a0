"""What holds for learning Mosaix: it depends on its state and the seeds alone, and it gets better."""

from __future__ import annotations

import numpy as np
import pytest

from smalti.bots import weights
from smalti.bots.learner import State
from smalti.bots.mosaix.evaluate import value_function
from smalti.bots.mosaix.evaluate.features import ENTRIES, VERSION
from smalti.bots.mosaix.evaluate.symmetry import classes
from smalti.bots.mosaix.learning.learner import Learner
from smalti.engine.compiled import settings

pytestmark = pytest.mark.skipif(bool(settings.DISABLE_JIT), reason="takes hundreds of games")

GAMES = 60


def taught(*seeds: int) -> Learner:
    """Return a learner that has had so many rounds."""
    learner = Learner()
    for seed in seeds:
        learner.learn(GAMES, seed)
    return learner


def are_equal(one: State, other: State) -> bool:
    return one.keys() == other.keys() and all((one[name] == other[name]).all() for name in one)


def test_the_same_seeds_teach_the_same() -> None:
    assert are_equal(taught(1).state(), taught(1).state())
    assert not are_equal(taught(1).state(), taught(2).state())


def test_a_restored_learner_goes_on_as_if_nothing_had_happened() -> None:
    other = Learner()
    other.restore(taught(1).state())
    other.learn(GAMES, 2)
    assert are_equal(other.state(), taught(1, 2).state())


def test_measuring_teaches_nothing() -> None:
    learner = taught(1)
    before = learner.state()
    assert learner.measured(3, 5) == learner.measured(3, 5)
    assert are_equal(before, learner.state())


def test_practice_pays() -> None:
    learner, beginner = taught(*range(12)), Learner()
    assert learner.measured(40, 1) > beginner.measured(40, 1) + 8


def test_one_who_learned_alone_is_merged_as_it_is() -> None:
    before, after, merged = Learner().state(), taught(3).state(), Learner()
    merged.merge(before, [after])
    found = merged.state()
    assert all(np.allclose(found[name], after[name], atol=1e-4) for name in after)


def test_what_several_learned_is_merged() -> None:
    before, others, merged = Learner().state(), [taught(3).state(), taught(4).state()], Learner()
    merged.merge(before, others)
    found = merged.state()
    low = np.minimum(others[0]["alone_entries"], others[1]["alone_entries"])
    high = np.maximum(others[0]["alone_entries"], others[1]["alone_entries"])
    both = (others[0]["alone_sizes"][:ENTRIES] > 0) & (others[1]["alone_sizes"][:ENTRIES] > 0)
    assert merged.games == 2 * GAMES
    assert (found["alone_entries"] >= low - 1e-4)[both].all()
    assert (found["alone_entries"] <= high + 1e-4)[both].all()
    assert np.allclose(found["together_sizes"], others[0]["together_sizes"] + others[1]["together_sizes"], atol=1e-3)


def test_readings_that_mean_the_same_are_worth_the_same() -> None:
    windows = taught(1).solo.judged.windows
    assert (windows == windows[classes().members[classes().starts[:-1]]][classes().of]).all()


def test_what_is_shipped_is_what_was_learned() -> None:
    learner = taught(1)
    arrays = learner.weights()
    judged = value_function.spread_out(arrays["alone_entries"], arrays["alone_windows"])
    assert np.allclose(judged.entries, learner.solo.judged.entries, atol=1 / value_function.SCALE)
    assert np.allclose(judged.windows, learner.solo.judged.windows, atol=1 / value_function.SCALE)


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(weights.NoWeights, match="another size"):
        value_function.spread_out(np.zeros(3, np.int16), np.zeros(classes().number, np.int16))


def test_the_shipped_weights_are_of_this_version() -> None:
    assert set(weights.shipped("mosaix", VERSION)) == set(Learner().weights())
