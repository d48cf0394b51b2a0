"""How the weights of Patterns are learned: TD(λ) with temporal coherence, in games against itself."""

from smalti.bots.patterns.learning.learner import Learner

__all__ = ["Learner"]
