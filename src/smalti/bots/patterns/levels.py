"""Eight levels for Patterns, from one who has just heard the rules to the strongest.

Weak ones err like people: they overlook moves, they have opinions about places that they keep for the whole game, they
read less far ahead, and they do not tell apart what is nearly as good. None of them plays what it sees to be absurd.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import NamedTuple

from smalti.bots.bot import Budget, Seen, Thought, levels
from smalti.bots.patterns.reader import Reader, Worth
from smalti.bots.patterns.room import POINT
from smalti.bots.patterns.searching import ENDLESS
from smalti.bots.patterns.thinking import after, think, told
from smalti.engine.bits import count
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import FLIP, GIVING, PLAYING, SPACES


class Level(NamedTuple):
    """How somebody thinks: how far, how much of the mandala they take in, and how surely they judge."""

    depth: int  # plies read for each move that is noticed
    notice: float  # share of the moves that are noticed
    opinion: float  # points by which a place is misjudged, for the whole game
    care: float  # points that are hardly told apart
    cap: float  # points that a move may seem worse than the best, and still be played
    nodes: int  # if none of the above blurs the judgement: tables looked at


LEVELS = {
    1: Level(1, 0.2, 7.0, 3.5, 12.0, 0),
    2: Level(1, 0.68, 2.3, 1.15, 4.6, 0),
    3: Level(2, 0.9, 1.05, 0.5, 2.1, 0),
    4: Level(3, 1.0, 0.3, 0.15, 0.8, 0),
    5: Level(0, 1.0, 0.0, 0.0, 0.0, 4_400),
    6: Level(0, 1.0, 0.0, 0.0, 0.0, 14_000),
    7: Level(0, 1.0, 0.0, 0.0, 0.0, 170_000),
    8: Level(0, 1.0, 0.0, 0.0, 0.0, 4_000_000),
}
PLIES_OF_ATTENTION = 6  # after which other moves are noticed
FEWEST_NOTICED = 2


def level(seen: Seen, number: int) -> Thought:
    """Let somebody of a level from 1 to 8 think."""
    how = LEVELS[number]
    if how.nodes:
        return think(seen, Budget(nodes=how.nodes))
    if seen.table.phase not in (GIVING, PLAYING):
        return think(seen, Budget(nodes=1))
    return blurred(seen, how)


def blurred(seen: Seen, how: Level) -> Thought:
    """Judge the moves that are noticed, and choose among those that seem good."""
    if seen.table.phase == GIVING:
        worths, used = judged_gifts(seen, how)
    else:
        worths, used = judged_moves(seen, how)
    believed = {worth[0]: worth[1] / POINT + opinion(seen, worth[0], how) for worth in worths}
    chosen = one_of(believed, how, seen.luck)
    return told(seen, sorted(worths, key=lambda worth: (worth[0] != chosen, -worth[1])), used)


def judged_moves(seen: Seen, how: Level) -> tuple[list[Worth], int]:
    """Return what the moves that are noticed are worth, read as far as this level reads."""
    reader = Reader(seen.tables, Budget(nodes=1 << 30))
    worths = []
    for move in noticed(seen, reader.moves, how):
        reader.read(how.depth, -ENDLESS, ENDLESS, [move])
        worths.append(reader.found())
    return worths, reader.used


def judged_gifts(seen: Seen, how: Level) -> tuple[list[Worth], int]:
    """Return what it is worth to give the start tiles one way and the other. (PT-3)"""
    worths, used = list[Worth](), 0
    for move in seen.legal:
        reader = Reader(after(seen, move), Budget(nodes=1 << 30))
        reader.deepen(how.depth)
        worths.append((move, -reader.worth, False))
        used += reader.used
    return worths, used


def noticed(seen: Seen, moves: list[int], how: Level) -> list[int]:
    """Return the moves somebody takes in: flips are easily seen, the others catch the eye for a while or do not."""
    glance = int(count(front_up(seen.table))) // PLIES_OF_ATTENTION
    eyes = {move: Random(f"{seen.seed} {seen.seat} {glance} {move}").random() for move in moves}
    seen_first = sorted(moves, key=lambda move: eyes[move] * (0.5 if FLIP <= move < FLIP + SPACES else 1.0))
    return seen_first[: max(FEWEST_NOTICED, round(how.notice * len(moves)))]


def opinion(seen: Seen, move: int, how: Level) -> float:
    """Return by how many points somebody misjudges a move: an opinion about its place, kept for the whole game."""
    return Random(f"{seen.seed} {seen.seat} {move}").gauss(0, 1) * how.opinion


def one_of(believed: dict[int, float], how: Level, luck: Random) -> int:
    """Return one of the moves that seem good, the better the likelier."""
    best = max(believed.values())
    good = {move: exp((worth - best) / how.care) for move, worth in believed.items() if best - worth <= how.cap}
    return luck.choices(list(good), list(good.values()))[0]


BOTS = levels("patterns", level, {number: how.nodes for number, how in LEVELS.items()})
