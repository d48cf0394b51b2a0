"""Training: what drives a game's learner, round by round, so that it can be stopped and goes on where it was.

Read `course` (the rounds), `crews` (who plays them: this process, several, or a cluster), `checkpoints` (what is kept).
A learner is the class `Learner` of `smalti.bots.<game>.learning`.
"""

from smalti.bots.training.course import Course, learner_of
from smalti.bots.training.crews import Crew, Processes, Ray

__all__ = ["Course", "Crew", "Processes", "Ray", "learner_of"]
