"""Logs without people: names, words and browsers are taken from entries, and the log stays valid.

An entry keeps its number, kind and seat, so that the log leads to the same game. A name that is gone is null: whoever
shows the game says "seat 1" instead, in the reader's language. A browser that is gone becomes one that nobody has.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from smalti.engine.errors import shown
from smalti.server.table.entries import Row
from smalti.server.table.kinds import SeatKind
from smalti.server.table.seating import Sitting, seated

PEOPLE = ("sit", "name", "bot", "link", "lend", "return", "resign", "leave")  # entries that change who sits on a seat
NOT_JSON = ("play",)


class Who(NamedTuple):
    """Whom it is about: somebody of this name, or of this browser; with neither everybody."""

    name: str | None = None
    holder: str | None = None

    def __str__(self) -> str:
        """Return whom it is about, in words."""
        return shown(self.name) if self.name else f"the browser {self.holder[:8]}…" if self.holder else "everybody"

    @property
    def is_everybody(self) -> bool:
        """Whether nobody is singled out."""
        return self.name is None and self.holder is None

    def is_called(self, name: str | None) -> bool:
        """Say whether a name alone is theirs."""
        return name is not None and (name == self.name or self.is_everybody)


class Person(NamedTuple):
    """Somebody on a seat, as a log knows them."""

    seat: int
    holder: str


class Spoken(NamedTuple):
    """An entry with whoever held its seat before and after it."""

    entry: Row
    before: Sitting
    after: Sitting

    @property
    def person(self) -> Person | None:
        """Who did it, or sat down by it."""
        holder = self.after.holder if self.entry.kind == "sit" else self.before.holder
        return Person(self.entry.seat, holder) if self.entry.seat is not None and holder else None


def followed(entries: Iterable[Row]) -> list[Spoken]:
    """Go through a log without its game, and note who sat where."""
    seats: dict[int, Sitting] = defaultdict(Sitting)
    found = []
    for entry in entries:
        before = seats[entry.seat] if entry.seat is not None else Sitting()
        after = before
        if entry.seat is not None and entry.kind in PEOPLE:
            what = entry.entry().what
            assert isinstance(what, SeatKind)
            after = seats[entry.seat] = seated(before, what)
        found.append(Spoken(entry, before, after))
    return found


def people_meant(log: Sequence[Spoken], who: Who) -> set[Person]:
    """Return the people of a log that are meant."""
    found = set()
    for spoken in log:
        person = spoken.person
        named = spoken.after.name if spoken.entry.kind in ("sit", "name") else None
        if person and (who.is_everybody or person.holder == who.holder or (named and named == who.name)):
            found.add(person)
    return found


def people_in(log: Sequence[Spoken]) -> set[Person]:
    """Return all people of a log."""
    return people_meant(log, Who())


# --- Entries without people


def decoded(entry: Row) -> Any:
    """Return the body of an entry that is no play, whatever its kind: also one that a later version has written."""
    return msgspec.json.decode(entry.body)


def changed(entry: Row, **values: Any) -> Row:
    """Return an entry that says something else."""
    return entry._replace(body=msgspec.json.encode({**decoded(entry), **values}).decode())


def nameless(entry: Row) -> Row:
    """Take the name from an entry."""
    return changed(entry, name=None) if decoded(entry).get("name") is not None else entry


def wordless(entry: Row) -> Row:
    """Take the words from something that was said; that something was said stays, because words are counted."""
    body = {name: value for name, value in decoded(entry).items() if name not in ("text", "phrase", "name", "cleared")}
    return entry._replace(body=msgspec.json.encode({**body, "cleared": True}).decode())


def without_names(entry: Row, who: Who) -> Row:
    """Take names from a record that was imported."""
    names = decoded(entry)["names"]
    kept = [None if who.is_called(name) else name for name in names]
    return entry if kept == names else changed(entry, names=kept)


def with_holders(entry: Row, replaced: dict[str, str]) -> Row:
    """Replace the browsers that an entry names."""
    if entry.kind in NOT_JSON:
        return entry
    body = decoded(entry)
    known = {name: replaced[value] for name, value in body.items() if isinstance(value, str) and value in replaced}
    return changed(entry, **known) if known else entry


def anonymous(spoken: Spoken, meant: set[Person], who: Who) -> Row:
    """Return an entry without the names and words of those who are meant."""
    entry = spoken.entry
    if entry.kind == "record":
        return without_names(entry, who)
    if entry.kind in ("sit", "name"):
        return nameless(entry) if spoken.person in meant else entry
    if entry.kind != "say":
        return entry
    body = decoded(entry)
    is_onlooker_meant = entry.seat is None and (who.is_called(body.get("name")) or who.holder in body.values())
    return wordless(entry) if spoken.person in meant or is_onlooker_meant else entry


class Rewritten(NamedTuple):
    """What became of a log."""

    entries: list[Row]  # that are new, in place of those of the same number
    people: list[Person]  # who are not in it any more
    replaced: dict[str, str]  # browsers that are meant with everything they have at this table
    keeps_seats: bool = False


def anonymised(entries: Sequence[Row], who: Who, keep_seats: bool) -> Rewritten:
    """Take those who are meant from a log; with `keep_seats` their browsers may still act for them."""
    log = followed(entries)
    meant = people_meant(log, who)
    strangers = {person.holder: new_stranger() for person in meant} if not keep_seats else {}
    others = {person.holder for person in people_in(log) - meant}
    whole = {holder: stranger for holder, stranger in strangers.items() if holder not in others}
    if not keep_seats and who.holder:
        whole.setdefault(who.holder, new_stranger())  # an onlooker, or a host without a seat
    new = []
    for spoken in log:
        entry = anonymous(spoken, meant, who)
        new.append(with_holders(entry, strangers if spoken.person in meant else whole))
    kept = [entry for entry, old in zip(new, entries, strict=True) if entry != old]
    return Rewritten(kept, sorted(meant), whole, keep_seats)


def new_stranger() -> str:
    """Return what a browser would be known by whose secret nobody has."""
    return secrets.token_hex(32)


def silenced(entries: Sequence[Row], is_meant: Callable[[Row], bool]) -> Rewritten:
    """Take the words that are meant from a log."""
    said = [entry for entry in entries if entry.kind == "say" and is_meant(entry)]
    return Rewritten([new for new, old in zip(map(wordless, said), said, strict=True) if new != old], [], {})
