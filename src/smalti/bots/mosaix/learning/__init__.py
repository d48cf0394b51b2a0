"""Learning the value functions of Mosaix by TD(λ) from self-play: `learner` is what a training calls."""

from smalti.bots.mosaix.learning.learner import Learner

__all__ = ["Learner"]
