"""Training: what drives a game's learner, round by round, so that it can be stopped and goes on where it was.

Read `course` (the rounds), `worker_pool` (processes or a cluster that share them), `checkpoints` (what is kept).
A learner is the class `Learner` of `smalti.bots.<game>.learning`.
"""

from smalti.bots.training.course import Course, learner_of
from smalti.bots.training.worker_pool import Processes, Ray, WorkerPool

__all__ = ["Course", "Processes", "Ray", "WorkerPool", "learner_of"]
