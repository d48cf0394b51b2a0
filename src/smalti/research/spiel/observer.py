"""What OpenSpiel sees of a position: its observations and information states, as tensors and as text.

What is private is what an onlooker does not see; a viewer is a seat, an onlooker (`NOBODY`), or `EVERYTHING`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel

from smalti.engine.drawing import plain
from smalti.engine.game import Game
from smalti.engine.loops import nodes
from smalti.engine.loops.nodes import EVERYTHING
from smalti.engine.record import bytes_of, copy_of, tables_of
from smalti.engine.rules import NOBODY, hide
from smalti.research.spiel.nodes import TERMINAL, GameTree, Node, Seen

Tensor = npt.NDArray[np.float32]


class Position(Protocol):
    """A state of OpenSpiel, as far as it is looked at."""

    node: Node


class Observer:
    """What both kinds of observers share: one tensor, named pieces of it, and what of the position they show."""

    def __init__(self, tree: GameTree, kind: Any, shapes: dict[str, tuple[int, ...]]) -> None:
        self.tree, self.kind = tree, kind
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()]).tolist()
        self.tensor: Tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def viewer(self, player: int) -> int:
        """Return the viewer who sees what this player is shown."""
        if not 0 <= player < self.tree.setting.seats:
            raise pyspiel.SpielError(f"there is no seat {player}; the seats are 0 to {self.tree.setting.seats - 1}")
        if self.kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return player
        return NOBODY if self.kind.private_info == pyspiel.PrivateInfoType.NONE else EVERYTHING

    def with_seat(self, player: int, lines: list[str]) -> list[str]:
        """Put the seat's name before its lines, unless they are for everybody, or only private."""
        told_to_one = self.kind.private_info != pyspiel.PrivateInfoType.NONE
        return [f"seat {player}", *lines] if told_to_one and self.kind.public_info else lines


class PositionObserver(Observer):
    """The position as it is: the planes of the game's `observe`, by their names, and the boards as text."""

    def __init__(self, tree: GameTree, kind: Any) -> None:
        """Lay out the planes."""
        rows, columns = tree.game.observer.SHAPE
        super().__init__(tree, kind, {plane.name: (plane.count, rows, columns) for plane in tree.setting.planes})
        self._scratch = tree.game.table.batch(1)
        self._planes = np.empty((2, len(self.tensor)), np.int8)

    def set_from(self, state: Position, player: int) -> None:
        """Write the planes; without what is public only cells in which something private shows."""
        seen, open_to_all = self._planes
        nodes.observe_as(state.node.tables, self.viewer(player), player, self._scratch, seen)
        self.tensor[:] = seen
        if not self.kind.public_info:
            nodes.observe_as(state.node.tables, NOBODY, player, self._scratch, open_to_all)
            self.tensor[seen == open_to_all] = 0

    def string_from(self, state: Position, player: int) -> str:
        """Draw the boards and name who must act; without what is public only lines in which something private shows."""
        lines = drawing(state.node, self.viewer(player))
        if not self.kind.public_info:
            open_to_all = drawing(state.node, NOBODY)
            lines = [line for line in lines if line not in open_to_all]
        return "\n".join(self.with_seat(player, lines))


def drawing(node: Node, viewer: int) -> list[str]:
    """Draw the boards, and name who must act."""
    table = copy_of(node.tables[0])
    if viewer != EVERYTHING:
        hide(table, viewer)
    return [*drawn(node.tree.game, bytes_of(table)), turn_text(node)]


@lru_cache(maxsize=1024)
def drawn(game: Game, table: bytes) -> list[str]:
    """Draw the boards of a table; what was drawn lately is kept, because OpenSpiel asks again and again."""
    boards = game.boards(tables_of(table, game.table.dtype)[0])
    return [line for board in boards for line in (board.title, *plain(board).split("\n"), *board.notes)]


def turn_text(node: Node) -> str:
    """Name who must act."""
    if node.player == TERMINAL:
        return "over"
    return "to act: " + ", ".join("chance" if seat == NOBODY else f"seat {seat}" for seat in node.seats())


class HistoryObserver(Observer):
    """All that was seen since the start, which is perfect recall.

    The tensor has `player`, who looks, with a 1 in its place, and `moves`, one number for each move in the order of
    play: 0 for none yet, −1 for one that was not seen, otherwise the move's number in the catalogue and 1. Those who
    act together appear in the order of their seats once all have chosen. What led to the start is the same in
    every game and is left out.
    """

    def __init__(self, tree: GameTree, kind: Any) -> None:
        """Make room for the longest game."""
        super().__init__(tree, kind, {"player": (tree.setting.seats,), "moves": (tree.most_moves,)})

    def set_from(self, state: Position, player: int) -> None:
        """Write who looks and what was seen."""
        history = self.history(state.node, player)
        self.tensor[:] = 0
        self.dict["player"][player] = 1
        self.dict["moves"][: len(history)] = [-1 if move is None else move + 1 for _, move in history]

    def string_from(self, state: Position, player: int) -> str:
        """Write what was seen; without what is public only what was private."""
        text, history = self.tree.game.text, self.history(state.node, player)
        events = ["?" if move is None else text(move) if by == NOBODY else f"{by} {text(move)}" for by, move in history]
        if not self.kind.public_info:
            events = [event for event in events if event != "?"]
        return "\n".join(self.with_seat(player, ["; ".join(events)] if events else []))

    def history(self, node: Node, player: int) -> list[Seen]:
        """List who played what; None for what the viewer did not see, or what is public and left out."""
        path, viewer = node.path(), self.viewer(player)
        history = [seen for node in path for seen in node.seen(viewer)]
        if self.kind.public_info:
            return history
        open_to_all = [move for node in path for _, move in node.seen(NOBODY)]
        return [(by, move if other is None else None) for (by, move), other in zip(history, open_to_all, strict=True)]


def observer_for(tree: GameTree, kind: Any) -> Observer:
    """Return the observer that OpenSpiel asks for; the usual one if it does not say which."""
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    return (HistoryObserver if kind.perfect_recall else PositionObserver)(tree, kind)
