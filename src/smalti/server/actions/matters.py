"""What people can agree on: a check of the wish, and what happens when all have agreed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from smalti.server.problems import Problem
from smalti.server.rooms.room import Room
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Value
from smalti.server.table.log import Log
from smalti.server.table.proposals import Proposal
from smalti.server.wire.from_page import Ask

Values = Mapping[str, Value]


class Matter(NamedTuple):
    """Something people can agree on."""

    check: Callable[[Room, Log, Ask], Values]  # returns what is to be kept of the wish, or raises a problem
    effect: Callable[[Log, Proposal], list[Entry]]  # lets it happen on a log and returns the entries
    is_about_position: bool = False  # whether it ends as soon as somebody acts
    silence_agrees: bool = False  # whether it happens when its time is over and nobody has said no


def check_seat(log: Log, seat: int, holder: str | None) -> None:
    """Refuse to speak for a seat of somebody else."""
    if seat not in log.held_by(holder):
        raise Problem("not-yours")
