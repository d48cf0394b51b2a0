"""Pausing a game by consent: the clocks stop, nobody acts, and by consent it goes on.

Whoever does not answer has not agreed to a pause. Nor does a pause last because somebody never comes back: asked to go
on, they have a day to say no.
"""

from __future__ import annotations

from smalti.server.actions.matters import Matter, Values
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.table.entries import PLAYING, Entry
from smalti.server.table.kinds import Pause, Resume
from smalti.server.table.log import Log
from smalti.server.table.proposals import Proposal
from smalti.server.wire.from_page import Ask


def checked_pause(room: Room, log: Log, wish: Ask) -> Values:
    """Refuse to stop clocks that do not run, and to let those go on that do."""
    if log.clocks is None or log.stage != PLAYING or log.is_paused != (wish.what == "resume"):
        raise Problem("pause")
    return {}


def pause_or_go_on(log: Log, asked: Proposal) -> list[Entry]:
    """Stop the clocks, or let them go on."""
    return [append(log, Resume() if asked.what == "resume" else Pause())]


MATTERS = {
    "pause": Matter(checked_pause, pause_or_go_on),
    "resume": Matter(checked_pause, pause_or_go_on, silence_agrees=True),
}
