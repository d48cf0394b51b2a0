"""What each audience is told: views from scratch, for a seat or for onlookers, and the people at the table."""

from __future__ import annotations

from collections.abc import Sequence

from smalti.engine.rules import NOBODY
from smalti.server.log import GATHERING, Happened, Log
from smalti.server.messages import Happening, Seat, State, Table


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
        do=entry.body if may_know(happened, seat) else None,
        at=entry.at if may_know(happened, seat) else 0.0,  # when a decision was changed is a secret too
        id=entry.id if own else None,
    )


def since(log: Log, seat: int | None, number: int) -> list[Happening]:
    """List what an audience that knows everything up to a number has not been told."""
    return [
        happening(event, seat)
        for event in log.happened
        if event.number > number or event.shown > number or (event.secret and event.entry.seat == seat)
    ]


def is_private(log: Log) -> bool:
    """Say whether what is decided now, or what a seat sees, is not for everybody's eyes."""
    if log.sealed or log.withheld:
        return True
    match = log.match
    return any(match.game.is_secret(match.table, seat, match.legal_moves(seat)[0], NOBODY) for seat in match.acting)


def state_of(log: Log, seat: int | None, number: int) -> State:
    """Describe the game to a seat (None: onlookers) that knows everything up to a number."""
    match, begun = log.match, log.stage != GATHERING
    over = begun and match.is_over
    return State(
        n=log.number,
        seat=seat,
        since=number,
        events=since(log, seat, number),
        view=match.view(seat) if begun else None,
        acting=sorted(match.acting) if begun else [],
        legal=match.legal(seat) if begun and seat is not None else [],
        change=other_choices(log, seat),
        asked=log.asked[seat] if seat is not None else 0,
        secret=begun and is_private(log),
        score=match.breakdown() if begun else [],
        scores=match.scores,
        winners=match.winners if over else [],
        verdict=match.game.verdict(match.table) if over else "",
    )


def other_choices(log: Log, seat: int | None) -> list[str]:
    """List what a seat can do instead of what it has decided under seal."""
    if seat is None or seat not in log.sealed:
        return []
    decided = log.happened[log.sealed[seat]]
    return [choice for choice in decided.choices if choice != decided.entry.body]


def seats_of(log: Log, holder: str | None, here: Sequence[bool]) -> list[Seat]:
    """Describe who sits where to a browser; the host gets the links of free seats."""
    host = holder == log.facts.host
    return [
        Seat(
            kind=sitting.kind,
            name=sitting.name,
            bot=sitting.bot,
            here=present,
            mine=holder is not None and sitting.holder == holder,
            link=f"/join/{log.facts.id}/{log.seat_key(seat)}" if host and sitting.kind == "free" else None,
        )
        for seat, (sitting, present) in enumerate(zip(log.seats, here, strict=True))
    ]


def table_of(log: Log, holder: str | None, here: Sequence[bool], watching: int) -> Table:
    """Describe the people to a browser."""
    seated = bool(log.held_by(holder)) or holder == log.facts.host
    return Table(
        n=log.number,
        id=log.facts.id,
        game=log.facts.game,
        options=log.match.options,
        rules=log.facts.rules,
        seats=seats_of(log, holder, here),
        host=holder == log.facts.host,
        listed=log.listed,
        watchable=log.watchable,
        watch_link=f"/watch/{log.facts.id}/{log.watch_key()}" if seated and log.watchable else None,
        watching=watching,
        stage=log.stage,
        next=log.next,
    )
