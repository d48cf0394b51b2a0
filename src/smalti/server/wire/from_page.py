"""What a page says to the server over the WebSocket of a table; `to_page` has what it is told.

The page opens one WebSocket for a table and says what it wants to look at. `tools/wire_types.py` writes the TypeScript
types; docs/wire.md explains them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from smalti.server.table.terms import Phrase


class Look(msgspec.Struct, tag="look", tag_field="t", forbid_unknown_fields=True):
    """Show me the table from this seat (null: as an onlooker); I have everything up to number `since`.

    Of what people have said I have heard everything up to number `heard`.
    """

    seat: int | None
    since: int = 0
    heard: int = 0


class Do(msgspec.Struct, tag="do", tag_field="t", forbid_unknown_fields=True):
    """A seat does something. `id` makes a second sending harmless, `n` is the number of the state it answers.

    Several moves in a list are one decision: all of them or none, and one step to take back. What is decided under seal
    gets a `nonce` of 64 hexadecimal digits, made up by the page.
    """

    id: str
    n: int
    seat: int
    do: str | list[str]
    nonce: str | None = None


class Why(msgspec.Struct, tag="why", tag_field="t", forbid_unknown_fields=True):
    """Why could this seat not do this, perhaps after these? Changes nothing; answered by `because`."""

    id: str
    seat: int
    do: str | list[str]
    after: list[str] = []


class Say(msgspec.Struct, tag="say", tag_field="t", forbid_unknown_fields=True):
    """Say something to the others at the table: a text, or a phrase. Onlookers talk among themselves, with a name."""

    id: str
    seat: int | None
    text: str | None = None
    phrase: Phrase | None = None
    name: str | None = None


class Eyes(msgspec.Struct, tag="eyes", tag_field="t", forbid_unknown_fields=True):
    """Whether this page is in sight now; who looks at a table needs no notice of it."""

    open: bool


class Ask(msgspec.Struct, tag="ask", tag_field="t", forbid_unknown_fields=True):
    """Ask the others at the table to agree to something. `id` makes a second sending harmless."""

    id: str
    seat: int
    what: str
    values: dict[str, int | str] = {}


class Answer(msgspec.Struct, tag="answer", tag_field="t", forbid_unknown_fields=True):
    """Agree or not to the proposal of number `n`; whoever has asked withdraws it by a no."""

    id: str
    seat: int
    n: int
    yes: bool


class Want(msgspec.Struct, tag="want", tag_field="t", forbid_unknown_fields=True):
    """Something a seat does beside the game.

    "back" takes its last step back, as of state `n`; "resign" gives up; "leave" goes for good; "hand-on" gives one's
    seat to whoever comes with its new link; "return" takes a lent seat again, or one that the host has freed before the
    game; "host" takes over from a host who is absent. `bot` plays on for whoever goes.
    """

    id: str
    seat: int
    what: Literal["back", "resign", "leave", "hand-on", "return", "host"]
    n: int = 0
    bot: str | None = None


class Ping(msgspec.Struct, tag="ping", tag_field="t", forbid_unknown_fields=True):
    """Are you there? Answered by `pong`."""


def moves_of(do: str | list[str]) -> list[str]:
    """Return the moves of a message, in their order."""
    return [do] if isinstance(do, str) else do


FromPage = Look | Do | Why | Say | Eyes | Ask | Answer | Want | Ping
