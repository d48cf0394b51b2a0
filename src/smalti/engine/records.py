"""Records: a whole game as one JSON document; read, written, verified.

The text form is a contract (docs/records.md). Reading is strict about what the contract names and keeps whatever
else it finds, so that a round trip loses nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from smalti.engine.errors import BadRecord, Refused, SmaltiError, shown
from smalti.engine.game import Game
from smalti.engine.match import Event, Match
from smalti.engine.texts import Texts

TEXTS = Texts("smalti.engine")
FORMAT = "smalti-record/1"
KEYS = ("format", "game", "rules", "players", "options", "events", "scores", "winners")
LONGEST_TEXT = 1000  # characters of one event
MOST_BYTES = 4 * 2**20  # of one record

FindGame = Callable[[str, int | None], Game]  # by its name and the version of its rules; None: the newest


@dataclass
class Record:
    """A game as text; `scores` and `winners` are there when it is over."""

    game: str
    players: int
    options: dict[str, str]
    events: list[Event]
    scores: list[int] | None = None
    winners: list[int] | None = None
    rules: int | None = None  # the version of the game's rules; None: it is not named, and the newest are meant
    extra: dict[str, Any] = field(default_factory=dict)  # keys we do not know
    event_extra: dict[int, dict[str, Any]] = field(default_factory=dict)  # the same inside events, by index

    def document(self) -> dict[str, Any]:
        """Return the record as what JSON can hold."""
        events = [{"by": by, "do": do, **self.event_extra.get(n, {})} for n, (by, do) in enumerate(self.events)]
        document: dict[str, Any] = {"format": FORMAT, "game": self.game}
        document |= {} if self.rules is None else {"rules": self.rules}
        document |= {"players": self.players, "options": self.options, "events": events}
        if self.scores is not None:
            document |= {"scores": self.scores, "winners": self.winners}
        return document | self.extra

    def line(self) -> str:
        """Write the record as one line."""
        return json.dumps(self.document(), ensure_ascii=False, separators=(",", ":"))

    def text(self) -> str:
        """Write the record for people: one event a line."""
        document = self.document()
        lines = []
        for key, value in document.items():
            if key == "events" and value:
                inside = ",\n".join("    " + json.dumps(event, ensure_ascii=False) for event in value)
                lines.append(f'  "events": [\n{inside}\n  ]')
            else:
                lines.append(f"  {json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"


def record_of(match: Match, **extra: Any) -> Record:
    """Return the record of a match, finished or not; more keys may be added."""
    options = {name: value for name, value in match.options.items() if value != match.game.options[name][0]}
    over = match.is_over
    return Record(
        game=match.game.name,
        players=match.seats,
        options=options,
        events=list(match.events),
        scores=match.scores if over else None,
        winners=match.winners if over else None,
        rules=match.game.version,
        extra=extra,
    )


# --- Reading


def parse(text: str | bytes) -> Record:
    """Read a record; `BadRecord` says in one line what is wrong with it."""
    document = parse_json(text)
    if not isinstance(document, dict):
        raise BadRecord(f"a record is a JSON object, not {kind_of(document)}")
    return from_document(document)


def parse_json(text: str | bytes) -> Any:
    """Read JSON strictly: UTF-8, no key twice, no NaN, nothing deeper than a record can be."""
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=unique_keys, parse_constant=refuse_constant)
    except UnicodeDecodeError as error:
        raise BadRecord(f"not a text in UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise BadRecord("not a record: nested too deeply") from None
    except ValueError as error:
        if isinstance(error, SmaltiError):
            raise
        raise BadRecord("not a record: a number has too many digits") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that has a key twice: readers would disagree about which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise BadRecord(f"key {shown(twice)} stands twice in one object")
    return found


def refuse_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which are not JSON."""
    raise BadRecord(f"{name} is not JSON")


def kind_of(value: object) -> str:
    """Name the JSON type of a value, with the value where it is short."""
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    kind = kinds.get(type(value), "a number")
    return kind if isinstance(value, dict | list) else f"{kind} ({shown(value, 40)})"


def needed(document: Mapping[str, Any], key: str, kind: type, wanted: str) -> Any:
    """Return a value that must be there and of that type; true and false are no numbers."""
    if key not in document:
        raise BadRecord(f"key '{key}' is missing; expected {wanted}")
    value = document[key]
    if type(value) is not kind:
        raise BadRecord(f"'{key}' must be {wanted}, not {kind_of(value)}")
    return value


def from_document(document: Mapping[str, Any]) -> Record:
    """Turn a JSON object into a record, checking every type."""
    given = needed(document, "format", str, f"'{FORMAT}'")
    if given != FORMAT:
        raise BadRecord(f"format {shown(given)} is not known; expected '{FORMAT}'")
    options = needed(document, "options", dict, "an object such as {}")
    events = needed(document, "events", list, "a list of events")
    if ("scores" in document) != ("winners" in document):
        raise BadRecord("'scores' and 'winners' come together: both when the game is over, neither before")
    record = Record(
        game=needed(document, "game", str, "the name of a game"),
        players=needed(document, "players", int, "a number"),
        options=checked_options(options),
        events=[event_of(event, number) for number, event in enumerate(events, 1)],
        scores=whole_numbers(document, "scores") if "scores" in document else None,
        winners=whole_numbers(document, "winners") if "winners" in document else None,
        rules=needed(document, "rules", int, "a number") if "rules" in document else None,
        extra={key: value for key, value in document.items() if key not in KEYS},
    )
    for index, event in enumerate(events):
        if len(event) > 2:
            record.event_extra[index] = {key: value for key, value in event.items() if key not in ("by", "do")}
    return record


def checked_options(options: Mapping[str, Any]) -> dict[str, str]:
    """Check that options are texts."""
    for name, value in options.items():
        if not isinstance(value, str):
            raise BadRecord(f"option {shown(name)} must be text, not {kind_of(value)}")
    return dict(options)


def event_of(event: Any, number: int) -> Event:
    """Check one event's form."""
    if not isinstance(event, dict):
        raise BadRecord(f"event {number} must be an object with 'by' and 'do', not {kind_of(event)}")
    for key in ("by", "do"):
        if key not in event:
            raise BadRecord(f"event {number} has no '{key}'")
    by, do = event["by"], event["do"]
    if by is not None and type(by) is not int:
        raise BadRecord(f"event {number}: 'by' must be a seat number or null, not {kind_of(by)}")
    if type(do) is not str:
        raise BadRecord(f"event {number}: 'do' must be text, not {kind_of(do)}")
    if len(do) > LONGEST_TEXT:
        raise BadRecord(f"event {number}: 'do' has {len(do)} characters; no event has more than {LONGEST_TEXT}")
    return Event(by, do)


def whole_numbers(document: Mapping[str, Any], key: str) -> list[int]:
    """Check a list of whole numbers."""
    values: list[int] = needed(document, key, list, "a list of whole numbers")
    for value in values:
        if type(value) is not int:
            raise BadRecord(f"'{key}' must hold whole numbers, not {kind_of(value)}")
    return values


# --- Verifying


def replayed(game: Game, seats: int, options: Mapping[str, str] | None, events: Iterable[Event]) -> Match:
    """Return the match that these events lead to."""
    match = Match(game, seats, options)
    for event in events:
        match.play(*event)
    return match


def replay(record: Record, find: FindGame, events: int | None = None) -> Match:
    """Return the match a record leads to, after all or so many of its events; an error names its event."""
    match = Match(find(record.game, record.rules), record.players, record.options)
    for number, event in enumerate(record.events[:events], 1):
        try:
            match.play(*event)
        except SmaltiError as error:
            error.event = number
            raise
    return match


def verify(record: Record, find: FindGame) -> Match:
    """Replay a record and check its scores and winners; return the match."""
    match = replay(record, find)
    problem = result_problem(record, match)
    if problem:
        problem.event = len(record.events)
        raise problem
    return match


def result_problem(record: Record, match: Match) -> Refused | None:
    """Say what is wrong with the scores and winners of a record."""
    if not match.is_over:
        if record.scores is None:
            return None
        return wrong("not-over")
    if record.scores is None:
        return wrong("no-scores")
    if record.scores != match.scores:
        return wrong("wrong-scores", given=shown(record.scores), found=shown(match.scores))
    if record.winners != match.winners:
        return wrong("wrong-winners", given=shown(record.winners or []), found=shown(match.winners))
    return None


def wrong(key: str, **values: str) -> Refused:
    """Say what is wrong with a result."""
    return Refused("result", f"record.{key}", TEXTS(f"reason.record.{key}", **values), values)
