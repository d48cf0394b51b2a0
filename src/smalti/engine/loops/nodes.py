"""Steps through a game's tree, compiled for each game: play one move or everybody's, list what can be done, look.

What is written goes into the caller's arrays: `tables` is a batch of one, `lists` has room for two lists of moves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import lowest
from smalti.engine.compiled import compiled
from smalti.engine.loops.playing import Lists, Tables, chance_can
from smalti.engine.loops.stepping import has, list_moves
from smalti.engine.planes import Planes
from smalti.engine.record import Record
from smalti.engine.rules import CHANCE, NOBODY, Moves, acting, hide, legal, observe, odds, play

# Who acts after a move that is refused.
REFUSED = -1

# A viewer who sees everything, beside the seats and `NOBODY`, an onlooker.
EVERYTHING = -2

Choices = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]


@compiled
def can(table: Record, seat: int, move: int, lists: Lists) -> bool:
    """Say whether a seat (`NOBODY`: chance) may play this move now."""
    if seat == NOBODY:
        return acting(table) == CHANCE and chance_can(table, move, lists[0], lists[1])
    return has(lists[0], list_moves(table, seat, lists[0]), move)


@compiled
def step(tables: Tables, seat: int, move: int, lists: Lists) -> tuple[int, int]:
    """Play a move of a seat (`NOBODY`: chance) on tables[0]; return who acts then, or `REFUSED`.

    If a seat acts alone then, its moves are in lists[0], and how many they are is returned, too.
    """
    table = tables[0]
    if not can(table, seat, move, lists):
        return REFUSED, 0
    play(table, seat, move)
    who = acting(table)
    if who in (0, CHANCE) or who & (who - 1) != 0:
        return who, 0
    return who, legal(table, lowest(who), lists[0])


@compiled
def step_all(tables: Tables, choices: Choices, lists: Lists) -> int:
    """Let every seat that must act play its choice on tables[0]; return who acts then, or `REFUSED`."""
    table = tables[0]
    together = acting(table)
    for seat in range(len(choices)):
        if (together >> seat) & 1:
            if not can(table, seat, choices[seat], lists):
                return REFUSED
            play(table, seat, choices[seat])
    return acting(table)


@compiled
def list_legal(tables: Tables, seat: int, moves: Moves) -> int:
    """List what a seat that must act on tables[0] may do; return how many moves that are."""
    return legal(tables[0], seat, moves)


@compiled
def list_odds(tables: Tables, first: int, lists: Lists, chances: Chances) -> int:
    """List in lists[0] what chance can do on tables[0], counted from its first move, and how probable each is."""
    count = odds(tables[0], lists[0], lists[1])
    total = 0
    for index in range(count):
        total += lists[1, index]
    for index in range(count):
        lists[0, index] -= first
        chances[index] = lists[1, index] / total
    return count


@compiled
def observe_as(tables: Tables, viewer: int, seat: int, scratch: Tables, planes: Planes) -> None:
    """Write tables[0] from where a seat sits, as a seat, an onlooker (`NOBODY`) or `EVERYTHING` sees it."""
    scratch[0] = tables[0]
    if viewer != EVERYTHING:
        hide(scratch[0], viewer)
    observe(scratch[0], seat, planes)
