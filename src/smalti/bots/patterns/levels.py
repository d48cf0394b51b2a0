"""Eight levels for Patterns, from one who has just heard the rules to the strongest.

Weak ones err like people: they overlook moves, they have opinions about places that they keep for the whole game, they
look less far ahead, and they do not tell apart what is nearly as good. None of them plays what it sees to be absurd.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import NamedTuple

from smalti.bots.bot import Budget, Seen, Thought, levels
from smalti.bots.patterns.evaluate.evaluation import POINT
from smalti.bots.patterns.search.iterative_deepening import DeepeningSearch, RankedMove
from smalti.bots.patterns.search.pvs import INFINITE
from smalti.bots.patterns.strongest import as_thought, tables_after, think
from smalti.engine.bits import count
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import FLIP, GIVING, PLAYING, SPACES


class Level(NamedTuple):
    """How somebody thinks: how far, how much of the mandala they take in, and how surely they judge."""

    depth: int  # plies searched for each move that is noticed
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
    return think_blurred(seen, how)


def think_blurred(seen: Seen, how: Level) -> Thought:
    """Judge the moves that are noticed, and choose among those that seem good."""
    ranked, nodes = rank_gifts(seen, how) if seen.table.phase == GIVING else rank_noticed(seen, how)
    believed = {each.move: each.worth / POINT + opinion(seen, each.move, how) for each in ranked}
    chosen = one_of(believed, how, seen.luck)
    return as_thought(seen, sorted(ranked, key=lambda each: (each.move != chosen, -each.worth)), nodes)


def rank_noticed(seen: Seen, how: Level) -> tuple[list[RankedMove], int]:
    """Return what the moves that are noticed are worth, searched as deep as this level does, and the tables it took."""
    search = DeepeningSearch(seen.tables, Budget(nodes=1 << 30))
    ranked = []
    for move in noticed(seen, search.moves, how):
        search.search(how.depth, -INFINITE, INFINITE, [move])
        ranked.append(search.best())
    return ranked, search.nodes


def rank_gifts(seen: Seen, how: Level) -> tuple[list[RankedMove], int]:
    """Return what it is worth to give the start tiles one way and the other, and the tables looked at. (PT-3)"""
    ranked, nodes = list[RankedMove](), 0
    for move in seen.legal:
        search = DeepeningSearch(tables_after(seen, move), Budget(nodes=1 << 30))
        search.deepen(how.depth)
        ranked.append(RankedMove(move, -search.worth, False))
        nodes += search.nodes
    return ranked, nodes


def noticed(seen: Seen, moves: list[int], how: Level) -> list[int]:
    """Return the moves somebody takes in: flips are easily seen, the others catch the eye for a while or do not."""
    period = int(count(front_up(seen.table))) // PLIES_OF_ATTENTION
    attention = {move: Random(f"{seen.seed} {seen.seat} {period} {move}").random() for move in moves}
    first_seen = sorted(moves, key=lambda move: attention[move] * (0.5 if FLIP <= move < FLIP + SPACES else 1.0))
    return first_seen[: max(FEWEST_NOTICED, round(how.notice * len(moves)))]


def opinion(seen: Seen, move: int, how: Level) -> float:
    """Return by how many points somebody misjudges a move: an opinion about its place, kept for the whole game."""
    return Random(f"{seen.seed} {seen.seat} {move}").gauss(0, 1) * how.opinion


def one_of(believed: dict[int, float], how: Level, luck: Random) -> int:
    """Return one of the moves that seem good, the better the likelier."""
    best = max(believed.values())
    good = {move: exp((worth - best) / how.care) for move, worth in believed.items() if best - worth <= how.cap}
    return luck.choices(list(good), list(good.values()))[0]


BOTS = levels("patterns", level, {number: how.nodes for number, how in LEVELS.items()})
