"""Everything that can be wrong, by name.

`BadInput` is something that cannot be understood, `Refused` something that is understood and against the rules.
"""

from __future__ import annotations


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

    def __init__(self, rule: str, reason: str, sentence: str, **values: object) -> None:
        super().__init__(sentence.format(**values))
        self.rule = rule
        self.reason = reason
        self.sentence = sentence.format(**values)
        self.values = values


def shown(text: object, limit: int = 60) -> str:
    """Return something a stranger typed, quoted, on one line, printable everywhere and not too long."""
    quoted = ascii(text)
    return quoted if len(quoted) <= limit else quoted[: limit - 2] + "…" + quoted[0]


class Reasons:
    """A game's refusals: by key, the rule and the English sentence; the data that translations start from."""

    def __init__(self, game: str, sentences: dict[str, tuple[str, str]]) -> None:
        self.game = game
        self.sentences = sentences

    def __call__(self, key: str, **values: object) -> Refused:
        """Return the refusal for a key, its sentence filled in."""
        rule, sentence = self.sentences[key]
        return Refused(rule, f"{self.game}.{key}", sentence, **values)
