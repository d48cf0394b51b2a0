"""What people have been told, compared with what the database keeps: each of it, once, in order, without a gap."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from smalti.server.rooms.rooms import Rooms
from smalti.server.store.schema import matches
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Play
from tests.chaos.budget import Figures
from tests.server.logs import rooms_on
from tests.server.site import Message

Move = tuple[str, int, str]  # table, seat, id of the message


@dataclass
class Book:
    """What was acknowledged: by move its number and what was done."""

    told: dict[Move, tuple[int, str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def note(self, table: str, state: Message) -> None:
        """Note what a seat has been told of its own moves; it must be the same each time."""
        for event in state["events"]:
            if event["id"] is not None:
                move, known = (table, state["seat"], event["id"]), (event["n"], event["do"])
                assert self.told.setdefault(move, known) == known, (move, known)

    def note_answer(self, table: str, message: Message) -> None:
        """Note a message, if it is a state."""
        if message["t"] == "state":
            self.note(table, message)

    def of(self, table: str) -> dict[Move, tuple[int, str]]:
        """Return what was told at one table."""
        return {move: known for move, known in self.told.items() if move[0] == table}


async def compared(book: Book, url: str) -> Figures:
    """Compare a book with the database, and replay every game in it."""
    async with rooms_on(url) as rooms:
        async with rooms.store.engine.connect() as connection:
            tables = [table for (table,) in await connection.execute(sa.select(matches.c.id))]
        assert {table for table, _, _ in book.told} <= set(tables)
        rows = [await compared_table(book, rooms, table) for table in tables]
    return {"tables": len(tables), "rows": sum(rows), "moves acknowledged": len(book.told)}


async def compared_table(book: Book, rooms: Rooms, table: str) -> int:
    """Compare one table; returns how many rows it has."""
    entries, log = await rooms.store.entries(table, 0), await rooms.store.log(table)
    assert [entry.n for entry in entries] == list(range(1, len(entries) + 1)), f"{table} has gaps"
    assert log is not None
    assert log.length == len(entries), f"{table} does not replay"
    check_moves(book.of(table), entries)
    return len(entries)


def check_moves(told: dict[Move, tuple[int, str]], entries: list[Entry]) -> None:
    """See that everything that was told is there once, as it was told, and in its order."""
    plays = [entry for entry in entries if isinstance(entry.what, Play) and entry.id is not None]
    kept = {(entry.seat, entry.id): entry for entry in plays}
    assert len(kept) == len(plays), "a move was stored twice"
    in_order = sorted(told.items(), key=lambda one: one[1][0])
    for (table, seat, message), (_, do) in in_order:
        found = kept.get((seat, message))
        assert found, f"lost: {table} {seat} {message} {do}"
        assert found.row().body == do
    places = [kept[seat, message].n for (_, seat, message), _ in in_order]
    assert places == sorted(places)


def check_file(file: Path) -> None:
    """Let SQLite look through its file."""
    with closing(sqlite3.connect(file)) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
