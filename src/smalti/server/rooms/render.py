"""What each audience is told: views from scratch, for a seat or for onlookers, and the people at the table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from operator import attrgetter
from typing import Any, cast

import msgspec

from smalti.engine.game import Item
from smalti.engine.rules import NOBODY
from smalti.server.keys import player_mark
from smalti.server.table.chat import Said, Side
from smalti.server.table.entries import GATHERING, OVER
from smalti.server.table.history import Happened
from smalti.server.table.kinds import Back
from smalti.server.table.log import Log
from smalti.server.table.proposals import Proposal
from smalti.server.table.takebacks import way_back
from smalti.server.wire.to_page import (
    Clocks,
    Ended,
    Happening,
    Proposed,
    Seat,
    Speaker,
    Start,
    State,
    Table,
    Talk,
    Words,
    encode,
)


def may_know(happened: Happened, seat: int | None) -> bool:
    """Say whether an audience may know what was done."""
    return not happened.secret or (seat is not None and happened.entry.seat == seat)


def happening(happened: Happened, seat: int | None) -> Happening:
    """Describe an event to an audience."""
    entry = happened.entry
    own = seat is not None and entry.seat == seat
    return Happening(
        n=happened.number,
        by=entry.seat,
        do=happened.do if may_know(happened, seat) else None,
        at=entry.at if may_know(happened, seat) else 0.0,  # when a decision was changed is a secret too
        id=entry.id if own else None,
        seal=happened.seal if may_know(happened, seat) or happened.final else None,
        back=isinstance(entry.what, Back),
        gone=happened.gone,
        late=happened.late,
    )


def since(log: Log, seat: int | None, number: int) -> list[Happening]:
    """List what an audience that knows everything up to a number has not been told, or may tell itself anew."""
    first = bisect_right(log.happened, number, key=attrgetter("number"))
    if not log.history.shown_late and not log.sealed:
        return [happening(happened, seat) for happened in log.happened[first:]]
    places = list(takewhile(lambda place: log.happened[place].shown > number, reversed(log.history.shown_late)))
    places += [log.sealed[seat]] if seat is not None and seat in log.sealed else []
    chosen = sorted({place for place in places if place < first}) + list(range(first, len(log.happened)))
    return [happening(log.happened[place], seat) for place in chosen]


def encoded(part: Any) -> msgspec.Raw:
    """Encode a part of a message once that belongs into several."""
    return msgspec.Raw(encode(part))


class Rendering:
    """The game as it stands, for all audiences; what they share is computed once."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.begun = log.stage != GATHERING
        self.views: dict[int, tuple[Any, msgspec.Raw]] = {}

    @cached_property
    def acting(self) -> list[int]:
        """The seats that must act."""
        return sorted(self.log.acting) if self.begun else []

    @cached_property
    def items(self) -> list[Item]:
        """Everything that scores; nothing of it is ever hidden."""
        return self.log.match.breakdown() if self.begun else []

    @cached_property
    def score(self) -> list[Item]:
        """`items`, encoded: a message takes them for the list they were."""
        return cast(list[Item], encoded(self.items))

    @cached_property
    def scores(self) -> list[int]:
        """The score of each seat."""
        found = [0] * self.log.facts.seats
        for item in self.items:
            found[item.seat] += item.points
        return found

    def view(self, seat: int | None) -> msgspec.Raw | None:
        """The table as an audience sees it, encoded once for all who see the very same."""
        if not self.begun:
            return None
        view = self.log.match.view(seat)
        if id(view) not in self.views:
            self.views[id(view)] = view, encoded(view)  # held, so that nothing else gets its number
        return self.views[id(view)][1]

    @cached_property
    def ways_back(self) -> list[str]:
        """How each seat can take its last step back."""
        return [way_back(self.log, seat) for seat in range(self.log.facts.seats)]

    @cached_property
    def is_private(self) -> bool:
        """Whether what is decided now, or what a seat sees, is not for everybody's eyes."""
        if not self.begun:
            return False
        if self.log.sealed or self.log.history.withheld:
            return True
        match = self.log.match
        if not match.game.has_secrets:
            return False
        first = [(seat, match.legal_moves(seat)[0]) for seat in self.acting]
        return any(match.game.is_secret(match.table, seat, move, NOBODY) for seat, move in first)

    def state(self, seat: int | None, number: int) -> State:
        """Describe the game to a seat (None: onlookers) that knows everything up to a number."""
        match, over = self.log.match, self.log.stage == OVER
        return State(
            n=self.log.number,
            seat=seat,
            since=number,
            events=since(self.log, seat, number),
            view=self.view(seat),
            acting=self.acting,
            legal=match.legal(seat) if seat in self.acting and seat is not None and not self.log.is_paused else [],
            change=other_choices(self.log, seat),
            asked=self.log.asked[seat] if seat is not None else 0,
            secret=self.is_private,
            score=self.score,
            scores=self.scores,
            winners=self.log.winners if over else [],
            verdict=match.game.verdict(match.table) if over and not self.log.ended else "",
            back=self.ways_back,
        )


def other_choices(log: Log, seat: int | None) -> list[str]:
    """List what a seat can do instead of what it has decided under seal."""
    if seat is None or seat not in log.sealed or log.is_paused:
        return []
    decided = log.happened[log.sealed[seat]]
    if decided.late or decided.final:
        return []
    return [choice for choice in decided.choices if choice != decided.do]


def seats_of(log: Log, holder: str | None, here: Sequence[bool]) -> list[Seat]:
    """Describe who sits where to a browser; the host gets the links of free seats, a lent one's is its person's."""
    host = holder == log.host
    return [
        Seat(
            kind=sitting.kind,
            name=sitting.name,
            bot=sitting.bot,
            here=present,
            mine=holder is not None and sitting.holder == holder,
            link=f"/join/{log.facts.id}/{log.seat_key(seat)}"
            if sitting.is_for_link and (holder == sitting.owner if sitting.owner else host)
            else None,
            owner=sitting.owner_name,
            claim=sitting.may_return(holder),
            resigned=seat in log.resigned,
            ready=not log.owes_nonce(seat),
        )
        for seat, (sitting, present) in enumerate(zip(log.seats, here, strict=True))
    ]


def start_of(log: Log, holder: str | None) -> Start | None:
    """Say from which point of another game this one goes on, to those who may know of that game.

    Whoever has its address could look it up: so they are those who played it, those whom somebody who knows it has
    invited here, and everybody only if it is listed.
    """
    start = log.start
    if start is None or not (start.is_open or (holder and knows_start(log, start.knowing, holder))):
        return None
    return Start(start.table, start.n)


def knows_start(log: Log, knowing: frozenset[str] | None, holder: str) -> bool:
    """Say whether a browser knows the game that this one goes on from, or sits here where no stranger could.

    Where it was not noted who played that game, everybody here has been told.
    """
    is_open = log.listed or log.seating.began_open
    if log.has_played(holder) and (knowing is None or not is_open or holder == log.facts.host):
        return True
    return knowing is not None and player_mark(log.facts.key, holder) in knowing


def table_of(log: Log, holder: str | None, here: Sequence[bool], watching: int) -> Table:
    """Describe the people to a browser."""
    seated = bool(log.held_by(holder)) or holder == log.host
    return Table(
        n=log.number,
        id=log.facts.id,
        game=log.facts.game,
        options=log.match.options,
        terms=log.facts.terms,
        rules=log.facts.rules,
        seats=seats_of(log, holder, here),
        host=holder == log.host,
        listed=log.listed,
        lapsed=log.seating.lapsed,
        onlookers=log.onlookers,
        watch_link=f"/watch/{log.facts.id}/{log.watch_key()}" if seated and log.onlookers != "none" else None,
        watching=watching,
        stage=log.stage,
        next=log.next,
        start=start_of(log, holder),
        proposal=proposed(log.proposal) if log.proposal else None,
        ended=Ended(log.ended.how, log.ended.by) if log.ended else None,
        commitment=log.commitment,
        finders=log.finders,
        speakers=speakers_of(log) if holder == log.host else [],
    )


def speakers_of(log: Log) -> list[Speaker]:
    """List the onlookers who have said something, for the host, who learns their names and not their words."""
    side = log.chat(seated=False)
    found = [Speaker(by, name, by in side.silenced) for by, name in side.names.items()]
    return sorted(found, key=attrgetter("name", "id"))  # in no order that tells who spoke last


def proposed(proposal: Proposal) -> Proposed:
    """Describe what is asked for."""
    return Proposed(
        n=proposal.number,
        by=proposal.by,
        what=proposal.what,
        values=proposal.values,
        needed=sorted(proposal.needed),
        agreed=sorted(proposal.agreed),
        outcome=proposal.outcome,
        closer=proposal.closer,
        until=proposal.until,
    )


def clocks_of(log: Log, at: float) -> Clocks:
    """Tell how much time everybody has at a moment, the same to all."""
    clocks = log.clocks
    assert clocks
    return Clocks(
        n=log.number,
        at=at,
        left=[clocks.left_at(seat, at) if log.seats[seat].kind == "person" else None for seat in range(len(log.seats))],
        running=sorted(clocks.running),
        paused=clocks.paused,
        late=[
            None if did == "seat" and sitting.kind == "person" else did
            for did, sitting in zip(clocks.late, log.seats, strict=True)
        ],
    )


def own_time(log: Log, mine: Sequence[int], at: float) -> float | None:
    """Return the seconds until the first clock of these seats runs out, if one runs."""
    clocks = log.clocks
    return min((clocks.left_at(seat, at) for seat in mine if seat in clocks.running), default=None) if clocks else None


def chat_after(side: Side, number: int) -> Talk:
    """Tell what was said on a side after a number, as far as it is not too long ago."""
    first = max(number, side.forgotten)
    spoken = side.words[first - side.forgotten :]
    return Talk(number, [words(place, said) for place, said in enumerate(spoken, first + 1)])


def words(number: int, said: Said) -> Words:
    """Describe one thing that was said."""
    return Words(number, said.at, said.id, said.seat, said.name, said.text, said.phrase, said.cleared)
