"""How all bots behave, in one number: fixed searches by nodes on fixed tables."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pytest

from smalti import bots
from tests.bots.tables import SETTINGS, Setting, everybody, seen_by, table_after

SIGNATURE = 985132360

EVENTS = (4, 15)

CHANGED = """the bots behave differently: the number is {found} now, not {known}.

If that was meant, write {found} into SIGNATURE in {file}, and say in the commit's message that they do, and why.
If it was not, something that only should have become faster or tidier plays other moves. By kind of table:
{parts}"""


@pytest.fixture(autouse=True)
def short_thoughts() -> None:
    """Let everybody think as in earnest."""


def behaviour(setting: Setting) -> Iterator[str]:
    """Give what every bot plays on tables of a kind, and how many tables it looked at for that."""
    for events in EVENTS:
        match = table_after(setting, events)
        seat = min(match.acting)
        for bot in everybody(setting.game):
            thought = bots.think(bot, seen_by(match, seat))
            yield f"{setting} {events} {bot}: {match.game.text(thought.move)} {thought.nodes}"


def test_bots_behave_as_they_did() -> None:
    parts = {str(setting): zlib.crc32("\n".join(behaviour(setting)).encode()) for setting in SETTINGS}
    found = zlib.crc32(str(parts).encode())
    lines = "\n".join(f"    {setting} {number}" for setting, number in parts.items())
    assert found == SIGNATURE, CHANGED.format(found=found, known=SIGNATURE, file=__name__, parts=lines)
