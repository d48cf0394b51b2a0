"""Where the time of a random game goes: `python bench/parts.py`.

Random games are logged and then replayed three ways: playing alone, playing with the list of legal moves, playing
with the odds of chance. The differences are what listing and chance cost. They do not add up to the whole, because a
replay foresees branches that a random game cannot.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from smalti import games
from smalti.engine.chance import stream_of
from smalti.engine.compiled import compiled
from smalti.engine.game import Game
from smalti.engine.loops.playing import Seats, Tables, random_games, random_log
from smalti.engine.record import Record
from smalti.engine.rules import NOBODY, Moves, Weights, legal, odds, play

GAMES = 300
RUNS = 12
SETTINGS = (("patterns", 2), ("mosaix", 1), ("mosaix", 4), ("mozaika", 4))


@compiled
def replay(
    start: Record, tables: Tables, who: Seats, what: Moves, ends: Moves, moves: Moves, weights: Weights, ask: int
) -> int:
    """Play logged games again; ask 1 also lists the seats' legal moves, ask 2 also computes chance's odds."""
    listed, place = 0, 0
    for end in ends:
        tables[0] = start
        table = tables[0]
        while place < end:
            if who[place] == NOBODY:
                if ask == 2:
                    odds(table, moves, weights)
            elif ask == 1:
                listed += legal(table, who[place], moves)
            play(table, who[place], what[place])
            place += 1
    return listed


class Log:
    """Random games of one setting, as they were played."""

    def __init__(self, game: Game, seats: int) -> None:
        """Play and log them."""
        self.game, self.start, self.tables = game, game.set_up(seats), game.table.batch(1)
        self.moves, self.weights = game.buffers()
        who, what = np.zeros(GAMES * 1000, np.int8), np.zeros(GAMES * 1000, np.int32)
        ends, place = [], 0
        for number in range(GAMES):
            self.tables[0] = self.start
            stream = stream_of(1, number)
            place += random_log(self.tables[0], self.moves, self.weights, stream, who[place:], what[place:])
            ends.append(place)
        self.who, self.what, self.ends = who[:place], what[:place], np.array(ends, np.int32)
        self.decisions = int((self.who != NOBODY).sum())

    def whole(self) -> float:
        """Return nanoseconds a decision of random play."""
        stream, begin = stream_of(2), process_time()
        decisions = random_games(self.start, self.tables, GAMES, self.moves, self.weights, stream)
        return (process_time() - begin) * 1e9 / decisions

    def replayed(self, ask: int) -> float:
        """Return nanoseconds a decision of a replay."""
        begin = process_time()
        self.listed(ask)
        return (process_time() - begin) * 1e9 / self.decisions

    def listed(self, ask: int) -> int:
        """Replay, and return how many moves were listed."""
        logs = (self.who, self.what, self.ends)
        return int(replay(self.start, self.tables, *logs, self.moves, self.weights, ask))


def main() -> None:
    """Print a row for each game, as results.md has them."""
    print("| | whole | playing | chance | listing moves | moves listed a decision |\n|---|---:|---:|---:|---:|---:|")
    for name, seats in SETTINGS:
        log = Log(games.find(name), seats)
        log.listed(0)
        whole = min(log.whole() for _ in range(RUNS + 1))
        playing, listing, chance = (min(log.replayed(ask) for _ in range(RUNS)) for ask in (0, 1, 2))
        title = f"{log.game.title.partition(':')[0]}, {seats} player{'s' * (seats > 1)}"
        figures = (whole, playing, chance - playing, listing - playing, log.listed(1) / log.decisions)
        print(f"| {title} | {' | '.join(f'{figure:.0f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
