"""Pausing a game by consent: the clocks stop, nobody acts, and by consent it goes on.

Whoever does not answer has not agreed to a pause. Nor does a pause last because somebody never comes back: asked to go
on, they have a day to say no.
"""

from __future__ import annotations

from smalti.server.consent import MATTERS, Matter, Values
from smalti.server.entries import PLAYING, Entry
from smalti.server.log import Log
from smalti.server.messages import Ask
from smalti.server.problems import Problem
from smalti.server.proposals import Proposal
from smalti.server.rooms import Room, entry


def checked_pause(room: Room, log: Log, wish: Ask) -> Values:
    """Refuse to stop clocks that do not run, and to let those go on that do."""
    if log.clocks is None or log.stage != PLAYING or log.is_paused != (wish.what == "resume"):
        raise Problem("pause")
    return {}


def pause_or_go_on(log: Log, asked: Proposal) -> list[Entry]:
    """Stop the clocks, or let them go on."""
    return [entry(log, asked.what, None, {})]


MATTERS |= {
    "pause": Matter(checked_pause, pause_or_go_on),
    "resume": Matter(checked_pause, pause_or_go_on, silence_agrees=True),
}
