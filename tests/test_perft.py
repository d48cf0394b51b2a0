"""Counts of distinct lines from fixed starts, in tests/perft/<game>.txt; on failure with a divide by first move.

Each position is a line `position NAME SEATS [OPTION=VALUE…]`, where `rules=N` asks for an older version, its events
(`- do` for chance, `SEAT do`), and lines `depth N COUNT`. All moves count, those of chance included; seats that act
together move in ascending order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import smalti
from smalti.engine.loops.playing import fill, perft
from smalti.engine.match import Match
from smalti.engine.record import copy_of
from smalti.engine.rules import CHANCE, NOBODY, acting, play

FOLDER = Path(__file__).parent / "perft"
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
MOST_LINES = 200 if PLAIN else 10**9


class Count(NamedTuple):
    """How many lines there are from a position to a depth."""

    game: str
    position: str
    match: Match
    depth: int
    lines: int


def counts() -> Iterator[Count]:
    """Read all files."""
    for file in sorted(FOLDER.glob("*.txt")):
        match, name = None, ""
        for line in file.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if not line or word == "#":
                continue
            if word == "position":
                name, seats, *options = rest.split()
                chosen = dict(option.split("=") for option in options)
                rules = int(chosen.pop("rules", 0))
                match = Match(smalti.games.find(file.stem, rules or None), int(seats), chosen)
            elif word == "depth":
                assert match
                depth, lines = map(int, rest.split())
                yield Count(file.stem, name, match.copy(), depth, lines)
            else:
                assert match
                match.play(None if word == "-" else int(word), rest)


COUNTS = [count for count in counts() if count.lines <= MOST_LINES]


def lines_from(match: Match, depth: int, first: int | None = None) -> int:
    """Count lines; with a first move, those that begin with it."""
    game, tables = match.game, match.game.table.batch(depth + 1)
    tables[0] = match.table
    if first is not None:
        who = acting(match.table)
        play(tables[0], NOBODY if who == CHANCE else min(match.acting), first)
        depth -= 1
    moves = np.array([game.buffers()[0] for _ in range(depth + 1)])
    return int(perft(tables, depth, moves, game.buffers()[1], np.zeros(depth + 1, np.int64)))


def divide(match: Match, depth: int) -> str:
    """Count lines by their first move, to see where two implementations part."""
    moves, weights = match.game.buffers()
    found = moves[: fill(copy_of(match.table), moves, weights)].tolist()
    return "\n".join(f"{match.game.text(move)}: {lines_from(match, depth, move)}" for move in found)


@pytest.mark.parametrize("count", COUNTS, ids=[f"{c.game}-{c.position}-{c.depth}" for c in COUNTS])
def test_the_number_of_lines_is_known(count: Count) -> None:
    assert lines_from(count.match, count.depth) == count.lines, "\n" + divide(count.match, count.depth)


@pytest.mark.parametrize("count", [c for c in COUNTS if c.depth == 2], ids=lambda c: f"{c.game}-{c.position}")
def test_a_divide_adds_up(count: Count) -> None:
    parts = [int(line.rpartition(" ")[2]) for line in divide(count.match, count.depth).splitlines()]
    assert sum(parts) == count.lines


def test_every_game_has_counts() -> None:
    assert {count.game for count in COUNTS} == set(smalti.games.names())
