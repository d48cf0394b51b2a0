"""The deck of a deal that several tables share: everybody draws the same, whatever they have done before.

What players put back into the bag lies at its bottom. It comes only when nothing else is left, and so does not change
what the others draw. Where nothing is put back, a deck is like any other chance.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from smalti.engine.match import Match
from smalti.engine.rules import CHANCE, NOBODY, acting, odds, play
from smalti.server.luck.derive import Source


def dealt(match: Match, source: Source) -> str:
    """Return what chance has to do now, from 64 bits for each of its small moves."""
    game, table, chosen = match.game, match.table, list[int]()
    returned = put_back(match)
    while acting(table) == CHANCE:
        move = pick(on_top(weights_of(match, table), returned, match), source(len(chosen)))
        if chosen and game.verb(move) != game.verb(chosen[0]):
            break  # the next event of chance
        chosen.append(move)
        play(table, NOBODY, move)
    return game.notation.chance_text(chosen)


def weights_of(match: Match, table: Any) -> dict[int, int]:
    """Return what chance can do at a table, with its weights."""
    moves, weights = match.game.buffers()
    count = odds(table, moves, weights)
    return {int(moves[place]): int(weights[place]) for place in range(count)}


def piece(match: Match, move: int) -> str:
    """Return what a small move of chance brings, such as a tile, however it is drawn."""
    return match.game.text(move).split()[-1]


def put_back(match: Match) -> Counter[str]:
    """Count the pieces in the bag that had been drawn before."""
    start = Match(match.game, match.seats, match.options)
    first = Counter({piece(match, move): weight for move, weight in weights_of(match, start.table).items()})
    drawn = Counter(word for event in match.events if event.by is None for word in event.do.split()[1:])
    now = Counter({piece(match, move): weight for move, weight in weights_of(match, match.table).items()})
    return Counter({name: now[name] - (first[name] - drawn[name]) for name in first}) & now


def on_top(weights: dict[int, int], returned: Counter[str], match: Match) -> dict[int, int]:
    """Leave out what was put back, as long as there is anything else."""
    fresh = {move: weight - returned[piece(match, move)] for move, weight in weights.items()}
    left = {move: weight for move, weight in fresh.items() if weight > 0}
    return left or weights


def pick(weights: dict[int, int], word: int) -> int:
    """Choose a move by 64 bits, each as likely as its weight."""
    rest = word * sum(weights.values()) >> 64
    for move, weight in weights.items():
        rest -= weight
        if rest < 0:
            return move
    raise AssertionError("weights add up to what they add up to")
