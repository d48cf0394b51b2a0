"""How the weights of Mozaika are learned: TD(λ) with temporal coherence, in games against itself."""

from smalti.bots.mozaika.learning.learner import Learner

__all__ = ["Learner"]
