"""What learns by playing against itself: one class for each game, driven by `smalti train`."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

State = dict[str, npt.NDArray[Any]]


class Learner(Protocol):
    """Weights that get better.

    Everything it does depends on its state and the seeds it is given, so the same training gives the same weights.
    """

    name: str  # of the weights
    version: int  # of their features
    measure: str  # what `measured` returns, in words, e.g. "mean solo score"
    usual_games: int  # that made the weights we ship
    games: int  # played so far

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""

    def measured(self, games: int, seed: int) -> float:
        """Return how well it plays, in games it does not learn from."""

    def state(self) -> State:
        """Return everything that is needed to go on later."""

    def restore(self, state: State) -> None:
        """Go on from there."""

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned who all began at `before`."""

    def weights(self) -> State:
        """Return what is shipped: small whole numbers."""
