"""Everything that can be wrong, by name.

`BadInput` is something that cannot be understood, `Refused` something that is understood and against the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from smalti.engine.texts import Texts


class SmaltiError(Exception):
    """Base of all errors that Smalti raises on purpose; its text is one line for a person."""

    event: int | None = None  # in a record: the number of the event it is about, from 1


class BadInput(SmaltiError, ValueError):
    """What was given cannot be understood: an unknown game, a wrong type, a number out of range."""


class BadRecord(BadInput):
    """A document is not a record of a game."""


class BadNotation(BadInput):
    """A text is not an event of this game."""


class Refused(SmaltiError):
    """The rules say no.

    `rule` is the number of the rule, `reason` a key for translation with its `values`, and the text an
    English sentence.
    """

    def __init__(self, rule: str, reason: str, sentence: str, values: Mapping[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.rule = rule
        self.reason = reason
        self.sentence = sentence
        self.values = values or {}


def shown(text: object, limit: int = 60) -> str:
    """Return something a stranger typed, quoted, on one line, printable everywhere and not too long."""
    quoted = ascii(text)
    return quoted if len(quoted) <= limit else quoted[: limit - 2] + "…" + quoted[0]


Word = Callable[[Any], str]  # says a value, such as the key of a tile, in English


def seat_word(seat: int) -> str:
    """Call a seat by its number, where nobody knows the name of its player."""
    return f"Seat {seat}"


class Reasons:
    """A game's refusals: by key the rule. The sentences are in the game's texts; `words` say their values."""

    def __init__(
        self, game: str, texts: Texts, rules: Mapping[str, str], words: Mapping[str, Word] | None = None
    ) -> None:
        self.game = game
        self.texts = texts
        self.rules = rules
        self.words: Mapping[str, Word] = {"seat": seat_word, **(words or {})}
        if unsaid := [key for key in rules if f"reason.{game}.{key}" not in texts]:
            raise KeyError(f"the English texts of {game} lack reason.{game}.{unsaid[0]}")

    def __call__(self, key: str, **values: object) -> Refused:
        """Return the refusal for a key, its sentence filled in."""
        said = {name: self.words[name](value) if name in self.words else value for name, value in values.items()}
        reason = f"{self.game}.{key}"
        return Refused(self.rules[key], reason, self.texts(f"reason.{reason}", **said), values)
