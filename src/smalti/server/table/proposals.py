"""Proposals: what somebody at a table asks the others for, who has agreed, and how it ended.

Pure: a proposal is made by replaying a table's log, like everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from smalti.server.table.kinds import Answer, Ask, ConsentKind, Lapse, Value

OPEN, AGREED, DECLINED, WITHDRAWN = "open", "agreed", "declined", "withdrawn"
LAPSED, LATE = "lapsed", "late"  # what it was about is gone, or not everybody has answered in time


@dataclass(frozen=True)
class Proposal:
    """Something that a seat asks the others for."""

    number: int  # on the wire, which answers name
    by: int
    what: str
    values: Mapping[str, Value]
    needed: frozenset[int]  # the seats that have to agree
    events: int | None  # it is about the game as it stands after so many events, and ends with the next
    until: float | None = None  # when it ends, whoever has not answered; None at those from before there was a limit
    agreed: frozenset[int] = frozenset()
    outcome: str = OPEN
    closer: int | None = None  # the seat whose answer ended it

    @property
    def about(self) -> int | None:
        """The seat that something is to happen to, if it is about one."""
        seat = self.values.get("seat")
        return seat if isinstance(seat, int) else None

    @property
    def is_open(self) -> bool:
        """Whether answers are awaited."""
        return self.outcome == OPEN

    def is_overdue(self, at: float) -> bool:
        """Say whether the time for answers is over."""
        return self.is_open and self.until is not None and at >= self.until

    @property
    def concerned(self) -> frozenset[int]:
        """The seats without whose people it means nothing any more."""
        return self.needed | {self.by} | ({self.about} if self.about is not None else set())

    def lapsed(self) -> Proposal:
        """Return it ended, because what it was about is gone."""
        return replace(self, outcome=LAPSED) if self.is_open else self


def after(proposal: Proposal | None, what: ConsentKind, seat: int | None, number: int) -> Proposal | None:
    """Return what is asked after somebody has asked or answered, or the time for answers is over."""
    match what:
        case Ask():
            assert seat is not None
            return asked(number, seat, what)
        case Answer():
            assert seat is not None
            return proposal and answered(proposal, seat, what)
        case Lapse():
            return proposal and ended_by_time(proposal, what)


def asked(number: int, seat: int, ask: Ask) -> Proposal:
    """Return a new proposal; where nobody has to agree it is settled at once."""
    made = Proposal(number, seat, ask.what, ask.values, frozenset(ask.needed), ask.events, ask.until)
    return made if made.needed else replace(made, outcome=AGREED, closer=seat)


def ended_by_time(proposal: Proposal, lapse: Lapse) -> Proposal:
    """Return a proposal after the time for answers: it is over, or silence was agreement."""
    return replace(proposal, outcome=AGREED if lapse.agreed else LATE) if proposal.is_open else proposal


def answered(proposal: Proposal, seat: int, answer: Answer) -> Proposal:
    """Return a proposal after an answer, which may be for several seats of one person."""
    if not answer.yes:
        return replace(proposal, outcome=WITHDRAWN if seat == proposal.by else DECLINED, closer=seat)
    agreed = proposal.agreed | frozenset(answer.seats)
    settled = agreed >= proposal.needed
    return replace(proposal, agreed=agreed, outcome=AGREED if settled else OPEN, closer=seat if settled else None)
