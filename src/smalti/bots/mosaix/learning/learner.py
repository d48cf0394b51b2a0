"""The learner of Mosaix: TD(λ) from self-play, one value function for solo games and one for several players."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smalti.bots.learner import State
from smalti.bots.mosaix.evaluate.batch import FITS
from smalti.bots.mosaix.evaluate.features import ENTRIES, VERSION, Entries, Judgement, Work
from smalti.bots.mosaix.evaluate.footprints import FOOTPRINT_COUNT
from smalti.bots.mosaix.evaluate.opponents import Round
from smalti.bots.mosaix.evaluate.symmetry import classes
from smalti.bots.mosaix.evaluate.value_function import NAME, packed
from smalti.bots.mosaix.learning.multiplayer import BUFFERS, MultiplayerGame, Opponents, learn_multiplayer
from smalti.bots.mosaix.learning.self_play import SelfPlay, learn_solo, play_best
from smalti.bots.mosaix.learning.td import Coherence, Episode
from smalti.bots.mosaix.simple.hand_tuned import simple_judgement
from smalti.engine.chance import Stream, stream_of

MULTIPLAYER_EVERY = 16  # games: one of these is not solo, but stands for `SEVERAL` games of several players
SEVERAL = 15
SOLO_LUCK, MULTIPLAYER_LUCK = 1, 2  # what the random numbers of a seed are for
SLOWEST = 0.1  # how much of an error is still learned from at the end


class TrainingState(NamedTuple):
    """A value function in training: entries, windows by class, and for both the sums of errors and of their sizes."""

    entries: Entries
    windows: Entries
    sums: Entries
    sizes: Entries

    @classmethod
    def first(cls) -> TrainingState:
        """Return the state before anything is learned."""
        readings = classes().number
        return cls(*(np.zeros(n, np.float32) for n in (ENTRIES, readings, ENTRIES + readings, ENTRIES + readings)))


class Trainer:
    """A training state laid out for compiled code, and buffers to play in."""

    def __init__(self, state: TrainingState) -> None:
        self.judged = Judgement(state.entries.copy(), state.windows[classes().of])
        self.coherence = Coherence(state.sums.copy(), state.sizes.copy(), *classes())
        self.work, self.episode = Work.blank(), Episode.blank()

    def solo_game(self, stream: Stream) -> SelfPlay:
        """Return what solo games are played with."""
        return SelfPlay(self.judged, self.work, self.episode, stream)

    def multiplayer_game(self, stream: Stream) -> MultiplayerGame:
        """Return what games of several players are played with."""
        worths = np.zeros((BUFFERS, FOOTPRINT_COUNT, FITS + 1))
        return MultiplayerGame(self.solo_game(stream), Opponents.blank(), Round.blank(), worths)

    @property
    def state(self) -> TrainingState:
        """What has been learned so far."""
        windows = self.judged.windows[classes().members[classes().starts[:-1]]]
        return TrainingState(
            self.judged.entries.copy(), windows, self.coherence.sums.copy(), self.coherence.sizes.copy()
        )


class Learner:
    """Both value functions, learned from games one move ahead."""

    name = NAME
    version = VERSION
    measure = "mean solo score, one move ahead"
    usual_games = 180_000

    def __init__(self) -> None:
        """Know nothing yet."""
        self.games = 0
        self.solo, self.multiplayer = Trainer(TrainingState.first()), Trainer(TrainingState.first())
        self.simple = simple_judgement()

    @property
    def rate(self) -> float:
        """How much of an error is learned from: all of it in the first half of a training, less and less then."""
        return max(SLOWEST, min(1.0, 2 - 2 * self.games / self.usual_games))

    def learn(self, games: int, seed: int) -> None:
        """Play that many games, most of them solo, and learn from them."""
        others = (self.games + games) // MULTIPLAYER_EVERY - self.games // MULTIPLAYER_EVERY
        solo = self.solo.solo_game(stream_of(seed, SOLO_LUCK))
        several = self.multiplayer.multiplayer_game(stream_of(seed, MULTIPLAYER_LUCK))
        learn_solo(solo, games - others, self.rate, self.simple, self.solo.coherence)
        learn_multiplayer(several, SEVERAL * others, self.rate, self.multiplayer.coherence)
        self.games += games

    def measured(self, games: int, seed: int) -> float:
        """Return the mean score of solo games, one move ahead."""
        results = np.zeros(games, np.int32)
        play_best(self.solo.solo_game(stream_of(seed)), results)
        return float(results.mean())

    def state(self) -> State:
        """Return both value functions with the errors that made them."""
        states = {"alone": self.solo.state, "together": self.multiplayer.state}
        kept = {f"{name}_{part}": a for name, state in states.items() for part, a in state._asdict().items()}
        return kept | {"games": np.array(self.games)}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.solo, self.multiplayer = Trainer(state_in(state, "alone")), Trainer(state_in(state, "together"))
        self.games = int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned."""
        merged = {"games": before["games"] + sum(other["games"] - before["games"] for other in others)}
        for name in ("alone", "together"):
            state = merged_states(state_in(before, name), [state_in(other, name) for other in others])
            merged |= {f"{name}_{part}": array for part, array in state._asdict().items()}
        self.restore(merged)

    def weights(self) -> State:
        """Return what is shipped: small whole numbers."""
        solo, multiplayer = self.solo.state, self.multiplayer.state
        return {
            "alone_entries": packed(solo.entries),
            "alone_windows": packed(solo.windows),
            "together_entries": packed(multiplayer.entries),
            "together_windows": packed(multiplayer.windows),
        }


def state_in(state: State, name: str) -> TrainingState:
    """Return one of the value functions of a checkpoint's state."""
    return TrainingState(*(state[f"{name}_{part}"].astype(np.float32) for part in TrainingState._fields))


def merged_states(before: TrainingState, others: list[TrainingState]) -> TrainingState:
    """Merge what several have learned: errors add up, worths are averaged by how much each has met them."""
    met = [other.sizes - before.sizes for other in others]
    total = np.maximum(sum(met), np.float32(1e-9))
    shares = [part / total for part in met]
    entries, windows = before.entries.copy(), before.windows.copy()
    sums, sizes = before.sums.copy(), before.sizes.copy()
    for share, other in zip(shares, others, strict=True):
        entries += share[:ENTRIES] * (other.entries - before.entries)
        windows += share[ENTRIES:] * (other.windows - before.windows)
        sums += other.sums - before.sums
        sizes += other.sizes - before.sizes
    return TrainingState(entries, windows, sums, sizes)
