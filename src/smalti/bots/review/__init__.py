"""Review: a game that was played, judged decision by decision, and luck told apart from skill.

Read `judge` (what a table is worth to a seat), `steps` and `match_review` (what every event cost or brought), `gifts`
(what the decisions of others did to a seat), `hints` (what to play).

A game's package may have a module `review` of its own with `expected(table: bytes, seat: int)`, which says what a seat
may expect at any table: points, or something with `worth` and `chance`; before chance acts, the mean over all that can
come. It is used for luck instead of asking the bot about everything that could have come.
"""

from smalti.bots.review.hints import Hint, hint
from smalti.bots.review.judge import Judge, Value
from smalti.bots.review.match_review import Review, SeatReview, reviewed
from smalti.bots.review.steps import Option, Step

__all__ = ["Hint", "Judge", "Option", "Review", "SeatReview", "Step", "Value", "hint", "reviewed"]
