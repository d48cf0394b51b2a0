"""Positions as OpenSpiel walks through them, and what all positions of one game share.

A `Node` never changes: to play is to make the next one. So copies of a state share their nodes, and with them all
that was found out about a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from smalti import games
from smalti.engine.bits import numbers
from smalti.engine.errors import BadInput, SmaltiError
from smalti.engine.loops import nodes
from smalti.engine.loops.playing import Lists, Tables
from smalti.engine.loops.stepping import who_acts, write_rewards
from smalti.engine.match import Match
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import CHANCE, NOBODY, SLACK
from smalti.research.setting import setting
from smalti.research.spiel.start import refusal, with_start

# Who acts, as OpenSpiel numbers players; chance has the same number there and here.
TERMINAL, TOGETHER = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.SIMULTANEOUS)

Seen = tuple[int, int | None]  # who played and what, None for what was not seen


class Request(NamedTuple):
    """The parameters of a game that OpenSpiel is asked to load."""

    game: str
    rules: int
    players: int
    options: tuple[tuple[str, str], ...]
    rewards: str
    start: str
    limit: int


class GameTree:
    """A game as a tree of nodes: its setting, its root, and after how many decisions it is cut off."""

    def __init__(self, request: Request) -> None:
        """Check the parameters; raises what is wrong with them."""
        game = games.find(request.game, request.rules or None)
        start = Match(game, request.players, dict(request.options))
        plain = setting(game.name, rewards=request.rewards or None, start=start)
        self.shape = (2, game.most_moves + SLACK)
        self.request, self.game, self.actions, self.dtype = request, game, game.actions, game.table.dtype
        self.limit = checked_limit(game.longest(plain.seats).decisions, request.limit)
        self.setting = with_start(plain, request.start, self.lists())
        sets = (CHANCE, *range(1 << plain.seats))
        self.players = {who: player_of(who) for who in sets}
        self.seats = {who: [NOBODY] if who == CHANCE else numbers(who) for who in sets}

    def lists(self) -> Lists:
        """Return room for two lists of moves; new, so that threads do not get into each other's way."""
        return np.empty(self.shape, np.int32)

    @cached_property
    def first(self) -> Node:
        """The position in which the game begins."""
        tables = tables_of(bytes_of(self.setting.start), self.dtype)
        return Node(self, tables, who_acts(tables))

    @property
    def acts_together(self) -> bool:
        """Whether several seats can have to act at once."""
        return self.setting.seats > 1 and self.game.together

    @cached_property
    def has_secrets(self) -> bool:
        """Whether chance deals something that not everybody sees."""
        table, chances = self.game.set_up(self.setting.seats, self.setting.options), range(self.actions, self.top)
        return any(self.game.is_secret(table, NOBODY, move, NOBODY) for move in chances)

    @cached_property
    def top(self) -> int:
        """How many moves the catalogue has, chance's included."""
        return len(self.game.notation.TEXTS)

    @cached_property
    def most_chance(self) -> int:
        """How often chance can play: longest at the beginning of a whole game, later less often than the seats."""
        node, dealt = tree_of(self.request._replace(start="")).first, 0
        while node.player == NOBODY:
            node, dealt = node.after(node.outcomes()[0][0]), dealt + 1
        return min(dealt + self.limit, self.game.longest(self.setting.seats).chances)

    @property
    def most_moves(self) -> int:
        """How many moves there can be, chance's included; those who act together all finish."""
        return self.limit + self.setting.seats - 1 + self.most_chance


@lru_cache(maxsize=64)
def tree_of(request: Request) -> GameTree:
    """Return the tree for these parameters; recent ones are cached."""
    return GameTree(request)


def player_of(who: int) -> int:
    """Return who acts as OpenSpiel says it: a seat, chance, several together, or the end."""
    if who in (0, CHANCE):
        return NOBODY if who else TERMINAL
    return TOGETHER if who & (who - 1) else who.bit_length() - 1


def checked_limit(most: int, limit: int) -> int:
    """Return after how many decisions a game is cut off; with 0 after as many as it can have, which is not at all."""
    if not 0 <= limit <= most:
        raise BadInput(f"a game is cut off after 1 to {most} decisions, not after {limit}")
    return limit or most


class Node:
    """A position that never changes, the one before it, and what those who acted there have played.

    `player` is who acts as OpenSpiel numbers players, `age` how many decisions have been made.
    """

    __slots__ = ("_legal", "_odds", "_seen", "age", "before", "moves", "player", "tables", "tree", "who")

    def __init__(
        self,
        tree: GameTree,
        tables: Tables,
        who: int,
        age: int = 0,
        before: Node | None = None,
        moves: tuple[int, ...] = (),
    ) -> None:
        self.tree, self.tables, self.who, self.age = tree, tables, who, age
        self.before, self.moves = before, moves
        self.player = TERMINAL if age >= tree.limit else tree.players[who]
        self._legal: dict[int, list[int]] = {}
        self._odds: list[tuple[int, float]] | None = None
        self._seen: dict[int, list[Seen]] | None = None

    # --- What can be done

    def seats(self) -> list[int]:
        """List the seats that act, `NOBODY` for chance."""
        return self.tree.seats[self.who]

    def legal(self, seat: int) -> list[int]:
        """Return the actions of a seat, none unless it must act; not to be changed."""
        found = self._legal.get(seat)
        if found is None:
            acts = seat == self.player or (self.player == TOGETHER and self.who >> seat & 1)
            found = self._legal[seat] = self.list_moves(seat) if acts else []
        return found

    def list_moves(self, seat: int) -> list[int]:
        """List the moves of a seat that must act."""
        moves = self.tree.lists()[0]
        found: list[int] = moves[: nodes.list_legal(self.tables, seat, moves)].tolist()
        return found

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can do, by its own numbers, and how probable that is; not to be changed."""
        if self._odds is None:
            tree, lists = self.tree, self.tree.lists()
            chances = np.empty(tree.shape[1])
            count = nodes.list_odds(self.tables, tree.actions, lists, chances)
            self._odds = list(zip(lists[0][:count].tolist(), chances[:count].tolist(), strict=True))
        return self._odds

    # --- Doing it

    def after(self, action: int) -> Node:
        """Return the position after an action of the seat, or of chance, that acts alone."""
        tree, seat = self.tree, self.player
        if seat < NOBODY:
            raise self.wrong_call()
        move = action if seat >= 0 else action + tree.actions
        tables, lists = tables_of(self.tables.tobytes(), tree.dtype), tree.lists()
        who, count = nodes.step(tables, seat, move, lists)
        if who == nodes.REFUSED:
            raise refusal(tree.game, self.tables, seat, move)
        node = Node(tree, tables, who, self.age + (seat >= 0), self, (move,))
        if node.player >= 0:
            node._legal[node.player] = lists[0, :count].tolist()
        return node

    def after_all(self, actions: Sequence[int]) -> Node:
        """Return the position after the actions of all who act together; entries of others mean nothing."""
        tree = self.tree
        if self.player != TOGETHER or len(actions) != tree.setting.seats:
            raise self.wrong_call()
        tables = tables_of(self.tables.tobytes(), tree.dtype)
        who = nodes.step_all(tables, np.array(actions, np.int64), tree.lists())
        if who == nodes.REFUSED:
            raise self.wrong_choice(actions)
        moves = tuple([actions[seat] for seat in self.seats()])
        return Node(tree, tables, who, self.age + len(moves), self, moves)

    def again(self, moves: Sequence[int]) -> Node:
        """Return the position after moves that were played here once."""
        if self.player != TOGETHER:
            return self.after(moves[0] if self.player >= 0 else moves[0] - self.tree.actions)
        chosen = dict(zip(self.seats(), moves, strict=True))
        return self.after_all([chosen.get(seat, 0) for seat in range(self.tree.setting.seats)])

    def wrong_call(self) -> SmaltiError:
        """Say that this is not how to play here."""
        if self.player == TERMINAL:
            return BadInput("the game is over")
        if self.player == TOGETHER:
            return BadInput(f"seats {self.seats()} act together: give one action for every player")
        return BadInput("nobody acts together here: give one action")

    def wrong_choice(self, actions: Sequence[int]) -> SmaltiError:
        """Say why one of those who act together may not do what was chosen for it."""
        seat = next(seat for seat in self.seats() if actions[seat] not in self.legal(seat))
        return refusal(self.tree.game, self.tables, seat, actions[seat])

    # --- What it was worth, and how it came to this

    def returns(self) -> list[float]:
        """Return what the game was worth to each seat; nothing before its end."""
        found: Any = np.zeros(self.tree.setting.seats)
        if self.player == TERMINAL:
            write_rewards(self.tables, self.tree.setting.kind, np.zeros(len(found), np.int32), found)
        worth: list[float] = found.tolist()
        return worth

    def path(self) -> list[Node]:
        """List the positions from the first one to this one."""
        found, node = [self], self.before
        while node is not None:
            found.append(node)
            node = node.before
        return found[::-1]

    def seen(self, viewer: int) -> list[Seen]:
        """List who played what to get here, as a seat, an onlooker or `EVERYTHING` saw it; not to be changed."""
        if self._seen is None:
            self._seen = {}
        found = self._seen.get(viewer)
        if found is None:
            found = self._seen[viewer] = self.find_seen(viewer)
        return found

    def find_seen(self, viewer: int) -> list[Seen]:
        """Find out what a viewer saw: not what chance dealt in secret, but all that seats have played."""
        before, tree = self.before, self.tree
        if before is None:
            return []
        if before.player == NOBODY and viewer != nodes.EVERYTHING and tree.has_secrets:
            is_secret = tree.game.is_secret(before.tables[0], NOBODY, self.moves[0], viewer)
            return [(NOBODY, None if is_secret else self.moves[0])]
        return list(zip(before.seats(), self.moves, strict=True))

    def __deepcopy__(self, memo: object) -> Node:
        """Return the same node: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the parameters and what was played."""
        return replayed, (self.tree.request, [node.moves for node in self.path()[1:]])


def replayed(request: Request, played: list[tuple[int, ...]]) -> Node:
    """Return the position that these moves lead to."""
    node = tree_of(request).first
    for moves in played:
        node = node.again(moves)
    return node
