"""How `smalti admin` shows games."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smalti.server.store.admin.finding import Found, Place, Words


def day(at: float | None) -> str:
    """Return a time to the minute, in UTC."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def quoted(text: str) -> str:
    """Return something that people typed, which was found printable before it was kept, whole."""
    return f"“{text}”"


def game_summary(found: Found) -> str:
    """Describe a game in one line."""
    people = ", ".join(map(person, found.places))
    return f"{found.id}  {day(found.made)}  {found.game}  {found.stage}  {people}"


def person(place: Place) -> str:
    """Say who sits on a seat; what somebody typed is quoted."""
    if place.name:
        return quoted(place.name)
    return place.bot or ("free" if place.kind == "free" else f"seat {place.seat}")


def game_lines(found: Found) -> list[str]:
    """Describe a game with its people and words."""
    lines = [
        f"{found.id}  {found.game}  {found.stage}",
        f"made {day(found.made)}" + (f", over {day(found.ended)}" if found.ended else "") + f", origin {found.origin}",
        f"host {found.host or 'nobody'}, rewritten {found.revision} times",
    ]
    lines += [f"seat {place.seat}: {person(place)}  {place.holder or ''}".rstrip() for place in found.places]
    others = set(found.names) - {place.name for place in found.places}
    lines += [f"also called: {', '.join(map(quoted, sorted(others)))}"] if others else []
    return lines + [spoken(words) for words in found.words]


def spoken(words: Words) -> str:
    """Return something that was said, with its number in the log."""
    by = f"seat {words.seat}" if words.seat is not None else f"an onlooker, {quoted(words.name or '')}"
    return f"{words.n}  {by}: {quoted(words.text)}"
