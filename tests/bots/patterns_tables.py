"""Tables of Patterns for the tests of its bots."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from smalti import games
from smalti.bots.bot import Seen
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import legal, play, score
from smalti.games.patterns.tables import PLAYING, Table
from tests.support import step

GAME = games.find("patterns")
FEW = 2 if settings.DISABLE_JIT else 12


def tables_on_the_way(seed: int) -> Iterator[Any]:
    """Give the tables of a random match whose players are to act, each as an array of one."""
    match, luck = Match(GAME, 2), random.Random(seed)
    while not match.is_over:
        if not match.awaits_chance and match.seen_by(0).phase == PLAYING:
            yield tables_of(bytes_of(match.seen_by(0)), Table.dtype)
        step(match, luck)


def late_tables(fronts: int, matches: int) -> Iterator[Any]:
    """Give one table of each of so many random matches that get as far as so few fronts."""
    seed = 0
    while matches > 0:
        late = [tables for tables in tables_on_the_way(seed) if np.bitwise_count(tables["front"]).sum() <= fronts]
        yield from late[:1]
        matches -= len(late[:1])
        seed += 1


def seen(tables: Any, seed: int = 1) -> Seen:
    return Seen(GAME, tables.tobytes(), int(tables[0].turn), seed)


def lead(table: Any, seat: int) -> int:
    scores = np.zeros(2, np.int32)
    score(table, scores)
    return int(scores[seat] - scores[1 - seat])


def played_on(tables: Any, seat: int, move: int) -> Any:
    after = tables.copy()
    play(after[0], seat, move)
    return after


def moves_on(tables: Any, seat: int) -> list[int]:
    buffer = GAME.buffers()[0]
    found: list[int] = buffer[: legal(tables[0], seat, buffer)].tolist()
    return found


def turned(bits: int, quarter_turns: int, is_mirrored: bool) -> int:
    """Return a set of cells, turned and perhaps mirrored."""
    result = 0
    for cell in range(64):
        if bits >> cell & 1:
            row, column = divmod(cell, 8)
            for _ in range(quarter_turns):
                row, column = column, 7 - row
            result |= 1 << 8 * row + (7 - column if is_mirrored else column)
    return result


def with_words_turned(tables: Any, quarter_turns: int, is_mirrored: bool) -> Any:
    other = tables.copy()
    for name in ("front", "groups"):
        flat = other[name].reshape(-1)
        flat[:] = [turned(int(word), quarter_turns, is_mirrored) for word in flat]
    return other


def with_colours_swapped(tables: Any, order: list[int]) -> Any:
    other = tables.copy()
    for name in ("front", "groups", "markers", "marked"):
        other[name] = other[name][..., order]
    other["bowls"] = np.argsort(order)[other["bowls"]]
    return other


def with_seats_swapped(tables: Any) -> Any:
    other = tables.copy()
    for name in ("groups", "markers", "marked", "bowls", "opened"):
        other[name] = other[name][:, ::-1]
    other["turn"] = 1 - other["turn"]
    return other
