"""What can be wrong with a request or a message that is not a matter of a game's rules."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from smalti.engine.errors import BadInput, Refused, SmaltiError
from smalti.engine.texts import Texts

TEXTS = Texts("smalti.server")

# The HTTP status by key; the sentences are in `texts`, as `reason.table.KEY`.
PROBLEMS = {
    "gone": 404,
    "address": 404,
    "full": 409,
    "used": 409,
    "link": 403,
    "closed": 403,
    "private": 403,
    "held": 409,
    "sealed": 409,
    "clocked": 409,
    "agreed-bot": 400,
    "not-host": 403,
    "not-yours": 403,
    "name": 400,
    "same-name": 409,
    "over": 409,
    "not-over": 409,
    "started": 409,
    "bots": 400,
    "seats": 400,
    "options": 400,
    "game": 400,
    "kind": 400,
    "rules": 410,
    "origin": 403,
    "format": 400,
    "large": 413,
    "long-address": 414,
    "headers": 431,
    "stored": 503,
    "many": 429,
    "busy": 503,
    "slow": 408,
    "away": 503,
    "damaged": 500,
    "compiling": 503,
    "host": 421,
    "stale": 409,
    "turn": 409,
    "notation": 400,
    "words": 400,
    "silenced": 403,
    "commitment": 409,
    "nonce": 400,
    "code": 400,
    "unproven": 404,
    "push": 400,
    "clock": 400,
    "late": 409,
    "pause": 409,
    "paused": 409,
    "asked": 409,
    "matter": 400,
    "back": 409,
    "not-begun": 409,
    "present": 409,
    "event": 404,
    "start": 400,
    "final": 409,
    "record": 400,
    "long": 413,
    "server": 500,
}


def not_before(seconds: float) -> str:
    """Say when to try again, as the pages do; rounded up, so that nobody comes too early."""
    minutes = ceil(seconds / 60)
    if seconds < 60:
        count, unit = ceil(seconds), "second"
    else:
        count, unit = (minutes, "minute") if minutes < 60 else (ceil(minutes / 60), "hour")
    count = max(1, count)
    return f"in {count} {unit}{'s' * (count > 1)}"


class Problem(SmaltiError):
    """A request that cannot be done, with a key for translation."""

    def __init__(self, key: str, **values: str | int) -> None:
        self.status = PROBLEMS[key]
        self.reason = f"table.{key}"
        self.values: Mapping[str, object] = values
        wait = {"when": not_before(float(values["seconds"]))} if "seconds" in values else {}
        self.sentence = TEXTS(f"reason.{self.reason}", **values, **wait)
        super().__init__(self.sentence)


class WrongRecord(Problem):
    """A record that the rules refuse, or that is none."""

    def __init__(self, error: SmaltiError, game: str) -> None:
        super().__init__("record", what=str(error))
        self.game, self.event, self.rule = game, error.event, ""
        if isinstance(error, Refused):
            self.reason, self.values, self.sentence = error.reason, error.values, error.sentence
            self.rule = error.rule if error.reason.startswith(f"{game}.") else ""  # wrong scores are against none


def problem_of(error: SmaltiError) -> Problem:
    """Return the problem that an error of the engine is to somebody outside."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, BadInput):
        return Problem("format", what=str(error))
    return Problem("server")


__all__ = ["PROBLEMS", "Problem", "Refused", "WrongRecord", "problem_of"]
