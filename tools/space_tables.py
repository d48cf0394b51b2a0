"""Write the tables of observations and actions into docs/research.md: `python tools/space_tables.py`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from smalti import games
from smalti.engine.game import Game
from smalti.engine.planes import Plane

PAGE = Path(__file__).resolve().parent.parent / "docs" / "research.md"
BEGIN, END = "<!-- spaces: made by tools/space_tables.py -->\n", "<!-- end of spaces -->"


def count_text(fewer: int, more: int, seats: int) -> str:
    """Say how many planes there are, given how many with so many seats and with one more."""
    if fewer == more:
        return str(fewer)
    assert fewer == seats * (more - fewer)
    return "1 a seat" if more - fewer == 1 else f"{more - fewer} a seat"


def top_text(fewer: int, more: int) -> str:
    """Say how high a plane's values are, with the fewest and with the most seats."""
    return str(fewer) if fewer == more else f"{fewer}–{more}"


def planes_of(game: Game, seats: int) -> list[Plane]:
    """Return the planes with so many seats, or with as many as there can be."""
    return game.observer.planes(min(seats, game.seats[-1]))


def observation_table(game: Game) -> str:
    """Return the planes of a game as a table."""
    first, last = game.seats[0], game.seats[-1]
    lines = ["| planes | name | highest value | meaning |", "|---|---|---|---|"]
    for few, more, most in zip(planes_of(game, first), planes_of(game, first + 1), planes_of(game, last), strict=True):
        counts = count_text(few.count, more.count, first)
        lines.append(f"| {counts} | `{few.name}` | {top_text(few.top, most.top)} | {few.meaning} |")
    return "\n".join(lines)


def action_table(game: Game) -> str:
    """Return the moves of a game as a table, verb by verb."""
    lines = ["| numbers | who | from | to |", "|---|---|---|---|"]
    kinds = groupby(enumerate(game.notation.TEXTS), key=lambda move: (move[0] >= game.actions, game.verb(move[0])))
    for (is_chance, _), group in kinds:
        moves = list(group)
        (first, begin), (last, end) = moves[0], moves[-1]
        numbers = str(first) if first == last else f"{first}–{last}"
        lines.append(f"| {numbers} | {'chance' if is_chance else 'player'} | `{begin}` | `{end}` |")
    return "\n".join(lines)


def shapes(game: Game) -> str:
    """Say which shape observations have, by number of players."""
    rows, columns = game.observer.SHAPE
    sizes = {seats: sum(plane.count for plane in game.observer.planes(seats)) for seats in game.seats}
    texts = [f"({planes}, {rows}, {columns}) with {seats} player{'s' * (seats > 1)}" for seats, planes in sizes.items()]
    return "; ".join(texts)


def tables() -> str:
    """Return the tables of all games."""
    parts = []
    for game in games.everyone():
        parts += [f"### {game.title}", f"Observations: {shapes(game)}. {game.observer.ORDER}", observation_table(game)]
        parts += [f"Actions: {game.actions}.", action_table(game)]
    return "\n" + "\n\n".join(parts) + "\n\n"


def with_tables(page: str) -> str:
    """Return the page with its tables as they should be."""
    before, rest = page.split(BEGIN)
    return before + BEGIN + tables() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8", newline="\n")
