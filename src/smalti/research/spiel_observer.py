"""What OpenSpiel sees of a position: its observations and information states, as tensors and as text.

What is private is what an onlooker does not see; eyes are those of a seat, of an onlooker (`NOBODY`), or `EVERYTHING`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel

from smalti.engine import nodes
from smalti.engine.drawing import plain
from smalti.engine.game import Game
from smalti.engine.nodes import EVERYTHING
from smalti.engine.record import bytes_of, copy_of, tables_of
from smalti.engine.rules import NOBODY, hide
from smalti.research.spiel_nodes import TERMINAL, Course, Node, Seen

Tensor = npt.NDArray[np.float32]


class Position(Protocol):
    """A state of OpenSpiel, as far as it is looked at."""

    node: Node


class Observer:
    """What both kinds of observers have: one tensor, named pieces of it, and what of the position they tell."""

    def __init__(self, course: Course, kind: Any, shapes: dict[str, tuple[int, ...]]) -> None:
        self.course, self.kind = course, kind
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()]).tolist()
        self.tensor: Tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def eyes(self, player: int) -> int:
        """Return whose eyes see what this player is told."""
        if not 0 <= player < self.course.setting.seats:
            raise pyspiel.SpielError(f"there is no seat {player}; the seats are 0 to {self.course.setting.seats - 1}")
        if self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return player
        return NOBODY if self.kind.private_info == pyspiel.PrivateInfoType.NONE else EVERYTHING

    def named(self, player: int, lines: list[str]) -> list[str]:
        """Put the seat's name before what it is told, unless that is for everybody, or nothing."""
        told_to_one = self.kind.private_info != pyspiel.PrivateInfoType.NONE
        return [f"seat {player}", *lines] if told_to_one and self.kind.public_info else lines


class PositionObserver(Observer):
    """The position as it is: the planes of the game's `observe`, by their names, and the boards as text."""

    def __init__(self, course: Course, kind: Any) -> None:
        """Lay out the planes."""
        rows, columns = course.game.observer.SHAPE
        super().__init__(course, kind, {plane.name: (plane.count, rows, columns) for plane in course.setting.planes})
        self._scratch = course.game.table.batch(1)
        self._planes = np.empty((2, len(self.tensor)), np.int8)

    def set_from(self, state: Position, player: int) -> None:
        """Write the planes; without what is public only cells in which something private shows."""
        seen, open_to_all = self._planes
        nodes.look_as(state.node.tables, self.eyes(player), player, self._scratch, seen)
        self.tensor[:] = seen
        if not self.kind.public_info:
            nodes.look_as(state.node.tables, NOBODY, player, self._scratch, open_to_all)
            self.tensor[seen == open_to_all] = 0

    def string_from(self, state: Position, player: int) -> str:
        """Draw the boards and tell who must act; without what is public only lines in which something private shows."""
        lines = drawing(state.node, self.eyes(player))
        if not self.kind.public_info:
            open_to_all = drawing(state.node, NOBODY)
            lines = [line for line in lines if line not in open_to_all]
        return "\n".join(self.named(player, lines))


def drawing(node: Node, eyes: int) -> list[str]:
    """Draw the boards, and tell who must act."""
    table = copy_of(node.tables[0])
    if eyes != EVERYTHING:
        hide(table, eyes)
    return [*drawn(node.course.game, bytes_of(table)), turn_text(node)]


@lru_cache(maxsize=1024)
def drawn(game: Game, table: bytes) -> list[str]:
    """Draw the boards of a table; what was drawn lately is kept, because OpenSpiel asks again and again."""
    boards = game.boards(tables_of(table, game.table.dtype)[0])
    return [line for board in boards for line in (board.title, *plain(board).split("\n"), *board.notes)]


def turn_text(node: Node) -> str:
    """Tell who must act."""
    if node.player == TERMINAL:
        return "over"
    return "to act: " + ", ".join("chance" if seat == NOBODY else f"seat {seat}" for seat in node.seats())


class StoryObserver(Observer):
    """All that was seen since the start, which is perfect recall.

    The tensor has `player`, who looks, with a 1 in its place, and `moves`, one number for each move in the order of
    play: 0 for none yet, −1 for one that was not seen, otherwise the move's number in the catalogue and 1. Those who
    act together are told in the order of their seats once all have chosen. What led to the start is the same in
    every game and is left out.
    """

    def __init__(self, course: Course, kind: Any) -> None:
        """Make room for the longest game."""
        super().__init__(course, kind, {"player": (course.setting.seats,), "moves": (course.most_moves,)})

    def set_from(self, state: Position, player: int) -> None:
        """Write who looks and what was seen."""
        story = self.story(state.node, player)
        self.tensor[:] = 0
        self.dict["player"][player] = 1
        self.dict["moves"][: len(story)] = [-1 if move is None else move + 1 for _, move in story]

    def string_from(self, state: Position, player: int) -> str:
        """Tell what was seen; without what is public only what was private."""
        text, story = self.course.game.text, self.story(state.node, player)
        events = ["?" if move is None else text(move) if by == NOBODY else f"{by} {text(move)}" for by, move in story]
        if not self.kind.public_info:
            events = [event for event in events if event != "?"]
        return "\n".join(self.named(player, ["; ".join(events)] if events else []))

    def story(self, node: Node, player: int) -> list[Seen]:
        """List who played what; None where these eyes did not see it, or where all saw it and that is not told."""
        path, eyes = node.path(), self.eyes(player)
        story = [seen for node in path for seen in node.seen(eyes)]
        if self.kind.public_info:
            return story
        open_to_all = [move for node in path for _, move in node.seen(NOBODY)]
        return [(by, move if other is None else None) for (by, move), other in zip(story, open_to_all, strict=True)]


def observer_for(course: Course, kind: Any) -> Observer:
    """Return the observer that OpenSpiel asks for; the usual one if it does not say which."""
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    return (StoryObserver if kind.perfect_recall else PositionObserver)(course, kind)
