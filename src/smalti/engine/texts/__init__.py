"""What is said in English: ICU messages by key, from the catalogues that the pages read too.

A package keeps its messages in `texts/LANGUAGE.json`; Python says the English ones. Of ICU's syntax it understands what
they use: `{value}`, and `plural` (with `#`) and `select` over one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

Values = Mapping[str, object]
TOKEN = re.compile(r"[{}#]|[^{}#]+")
CHOICE = re.compile(r"(\w+)\s*,\s*(plural|select)\s*,\s*")


class BadMessage(ValueError):
    """A message is not written as ICU wants it, or uses what Python does not understand."""


@dataclass(frozen=True)
class Slot:
    """A place for a value; in a plural, `#` is one for its number."""

    name: str
    is_count: bool = False

    def said(self, values: Values) -> str:
        """Return the value, thousands of a count apart."""
        return f"{values[self.name]:,}" if self.is_count else str(values[self.name])


@dataclass(frozen=True)
class Choice:
    """One message out of several, by a number or by a word."""

    name: str
    is_plural: bool
    options: Mapping[str, Message]

    def said(self, values: Values) -> str:
        """Return the message that fits the value: an exact number, the one for one, or the other."""
        value = values[self.name]
        keys = (f"={value}", "one" if value == 1 else "other") if self.is_plural else (str(value),)
        return next((self.options[key] for key in keys if key in self.options), self.options["other"]).said(values)


@dataclass(frozen=True)
class Message:
    """A sentence with places for values."""

    parts: tuple[str | Slot | Choice, ...]

    def said(self, values: Values) -> str:
        """Return the sentence with its values."""
        return "".join(part if isinstance(part, str) else part.said(values) for part in self.parts)

    def slots(self) -> dict[str, set[str]]:
        """Return the names of the values, each with the options that are chosen by it."""
        found: dict[str, set[str]] = {}
        for part in self.parts:
            if isinstance(part, str):
                continue
            found.setdefault(part.name, set())
            if isinstance(part, Choice):
                found[part.name] |= set(part.options)
                for option in part.options.values():
                    for name, options in option.slots().items():
                        found.setdefault(name, set()).update(options)
        return found


@cache
def parsed(source: str) -> Message:
    """Read a message."""
    if "'" in source:
        raise BadMessage(f"an apostrophe quotes in ICU; write ’: {source}")
    tokens = TOKEN.findall(source)[::-1]
    message = read_message(tokens, None)
    if tokens:
        raise BadMessage(f"a brace too many: {source}")
    return message


def read_message(tokens: list[str], counted: str | None) -> Message:
    """Read up to the end or to the brace that closes the option it is; `counted` is what `#` stands for."""
    parts: list[str | Slot | Choice] = []
    while tokens and tokens[-1] != "}":
        token = tokens.pop()
        if token == "{":
            parts.append(read_value(tokens, counted))
        else:
            parts.append(Slot(counted, is_count=True) if token == "#" and counted else token)
    return Message(tuple(parts))


def read_value(tokens: list[str], counted: str | None) -> Slot | Choice:
    """Read what stands in braces."""
    head = tokens.pop() if tokens else ""
    choice = CHOICE.match(head)
    if not choice:
        close(tokens)
        if not head.isidentifier():
            raise BadMessage(f"not the name of a value: {head}")
        return Slot(head)
    name, is_plural = choice[1], choice[2] == "plural"
    options, key = {}, head[choice.end() :].strip()
    while tokens and tokens[-1] == "{":
        tokens.pop()
        options[key] = read_message(tokens, name if is_plural else counted)
        close(tokens)
        key = tokens.pop().strip() if tokens and tokens[-1] not in "{}" else ""
    close(tokens)
    if key or "other" not in options:
        raise BadMessage(f"not a choice: {head}")
    return Choice(name, is_plural, options)


def close(tokens: list[str]) -> None:
    """Take the closing brace that must stand here."""
    if not tokens or tokens.pop() != "}":
        raise BadMessage("a brace is missing")


@lru_cache(maxsize=4096)
def sentence(source: str, values: tuple[tuple[str, object], ...]) -> str:
    """Return a message with its values; lines of a score are said again with every move."""
    return parsed(source).said(dict(values))


class Texts:
    """The English messages of a package."""

    def __init__(self, package: str) -> None:
        catalogue = files(package).joinpath("texts", "en.json")
        self.messages: dict[str, str] = json.loads(catalogue.read_text("utf-8"))

    def __call__(self, key: str, **values: object) -> str:
        """Return the message with its values."""
        return sentence(self.messages[key], tuple(values.items()))

    def __contains__(self, key: object) -> bool:
        return key in self.messages
