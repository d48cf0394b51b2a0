"""What was said at a table, as its log leads to it: the last words of either side, who spoke, and how often each may.

Players and onlookers are two sides, which know nothing of each other. Everything here follows from the entries `say`,
`silence` and `clear` (see `entries`), so that every process, and whoever replays the log, comes to the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from smalti.server.table.entries import Entry
from smalti.server.table.kinds import ChatKind, Clear, Say, Silence
from smalti.server.table.terms import Phrase

KEPT = 200  # words of a side that pages are told; older ones stay in the log
MOST_SPEAKERS = 100  # onlookers whose names are remembered; the silenced ones always are


class Pace(NamedTuple):
    """A token bucket: so many words at once, and as many again in so many seconds."""

    words: int
    seconds: float

    def spend(self, full: float, at: float) -> float:
        """Return when the bucket is full again after one more word; a clock that was set back costs nobody more."""
        return max(at, min(full, at + self.seconds)) + self.seconds / self.words

    def wait(self, full: float, at: float) -> float:
        """Return the seconds until there is a word to spend."""
        return max(0.0, self.spend(full, at) - self.seconds - at)


BREATH = Pace(8, 20.0)  # of one speaker
OWN_PACES = (BREATH, Pace(120, 3600.0))
SIDE_PACE = Pace(600, 3600.0)
ADDRESS_PACE = Pace(50, 1500.0)  # of all onlookers of an address at a table: a new cookie makes nobody more talkative
EVERYBODY = "*"  # the speaker that stands for all onlookers, for a host who wants none to speak


@dataclass(frozen=True)
class Said:
    """Something that was said: typed, or one of the phrases that everybody reads in their own language."""

    at: float
    id: str | None
    seat: int | None
    name: str | None  # of an onlooker
    text: str | None
    phrase: Phrase | None
    by: str | None = None  # which onlooker
    cleared: bool = False  # taken away by the host


@dataclass(frozen=True)
class Side:
    """What the players, or the onlookers, have said."""

    words: tuple[Said, ...] = ()  # the last ones
    count: int = 0  # of all that was ever said
    clearings: int = 0  # how often something was taken away
    names: Mapping[str, str] = field(default_factory=dict)  # of onlookers, by speaker; who spoke last comes last
    silenced: frozenset[str] = frozenset()
    spent: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # by speaker: when each bucket is full again
    spent_by_all: float = 0.0

    @property
    def forgotten(self) -> int:
        """How many words are too long ago to be told."""
        return self.count - len(self.words)

    def has_said(self, speaker: str, message: str) -> bool:
        """Say whether a speaker has said this already, and it was only sent twice."""
        return any(said.id == message and speaker_in(said) == speaker for said in self.words)

    def wait(self, speaker: str, at: float) -> float:
        """Return the seconds until a speaker may say something."""
        full = self.spent.get(speaker, (0.0,) * len(OWN_PACES))
        own = [pace.wait(then, at) for pace, then in zip(OWN_PACES, full, strict=True)]
        return max(*own, SIDE_PACE.wait(self.spent_by_all, at))


class Sides(NamedTuple):
    """Both sides of a table."""

    players: Side = Side()
    onlookers: Side = Side()


def unheard(revision: int) -> Sides:
    """Return both sides before anything is said; what was changed from outside counts as taken away."""
    return Sides(Side(clearings=revision), Side(clearings=revision))


def speaker_in(said: Said) -> str:
    """Return who has said something; onlookers from before they were told apart are one."""
    return f"seat {said.seat}" if said.seat is not None else said.by or ""


def after(sides: Sides, entry: Entry, what: ChatKind) -> Sides:
    """Return both sides after an entry about words."""
    match what:
        case Silence():
            return sides._replace(onlookers=with_silence(sides.onlookers, what.by, what.silenced))
        case Clear(onlookers=True):
            return sides._replace(onlookers=cleared(sides.onlookers, what.n))
        case Clear():
            return sides._replace(players=cleared(sides.players, what.n))
        case Say():
            said = Said(entry.at, entry.id, entry.seat, what.name, what.text, what.phrase, what.by, what.cleared)
            if entry.seat is not None:
                return sides._replace(players=spoken(sides.players, said))
            return sides._replace(onlookers=spoken(sides.onlookers, said))


def spoken(side: Side, said: Said) -> Side:
    """Return a side after one more word."""
    return replace(
        side,
        words=(*side.words, said)[-KEPT:],
        count=side.count + 1,
        names=named(side, said),
        spent=spent(side, speaker_in(said), said.at),
        spent_by_all=SIDE_PACE.spend(side.spent_by_all, said.at),
    )


def named(side: Side, said: Said) -> Mapping[str, str]:
    """Return the names of the onlookers who have spoken, and forget who was not heard for longest."""
    if not said.by or said.name is None:
        return side.names
    names = {by: name for by, name in side.names.items() if by != said.by} | {said.by: said.name}
    loud = [by for by in names if by not in side.silenced]
    return {by: name for by, name in names.items() if by not in loud[:-MOST_SPEAKERS]}


def spent(side: Side, speaker: str, at: float) -> Mapping[str, tuple[float, ...]]:
    """Return what everybody has spent after a word; whose buckets are full again needs no line."""
    before = side.spent.get(speaker, (0.0,) * len(OWN_PACES))
    owing = {one: full for one, full in side.spent.items() if max(full) > at}
    return owing | {speaker: tuple(pace.spend(full, at) for pace, full in zip(OWN_PACES, before, strict=True))}


def with_silence(side: Side, by: str, silenced: bool) -> Side:
    """Return a side after a speaker was silenced, or may speak again."""
    names = {one: name for one, name in side.names.items() if one != EVERYBODY}
    if by == EVERYBODY and silenced:  # so that the host is told, and can take it back
        names[EVERYBODY] = EVERYBODY
    changed = side.silenced | {by} if silenced else side.silenced - {by}
    return replace(side, silenced=changed, names=names if by == EVERYBODY else side.names)


def cleared(side: Side, number: int | None) -> Side:
    """Return a side without one of its words, or without any; they keep their place."""
    words = tuple(
        replace(said, text=None, phrase=None, name=None, cleared=True) if number in (None, place) else said
        for place, said in enumerate(side.words, side.forgotten + 1)
    )
    return replace(side, words=words, clearings=side.clearings + 1)
