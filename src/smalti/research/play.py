"""One game as environments play it: a table, its random numbers, and the buffers that compiled code works in."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.engine.drawing import plain
from smalti.engine.errors import Refused, seat_word
from smalti.engine.loops import stepping
from smalti.engine.loops.stepping import ILLEGAL, OVER
from smalti.engine.record import copy_of
from smalti.engine.rules import acting
from smalti.research.setting import Setting, seeded_stream

Array = npt.NDArray[np.int8]


class Play:
    """One game being played, its seats from outside or by the house.

    `next` is the seat that is to act, or `OVER` or `ILLEGAL`; `refusal` says why an illegal move was one.
    """

    def __init__(self, setting: Setting, players: list[int] | None = None) -> None:
        """Sit down; the game starts with `start`."""
        self.setting, self.next = setting, OVER
        self.refusal: Refused | None = None
        self.stream: Any = None
        self.tables = setting.game.table.batch(1)
        self.buffers = stepping.step_buffers(setting.game, setting.seats, players)
        self._start, self._buffers = setting.starts(), tuple(self.buffers)
        self._shape, self._size, self._actions = setting.shape, math.prod(setting.shape), setting.game.actions

    def start(self, seed: int | None = None) -> None:
        """Start a new game; the same seed gives the same games, and without one those of the last seed go on."""
        if seed is not None or self.stream is None:
            self.stream = seeded_stream(seed)
        self.refusal = None
        self.next = stepping.start_game(self.tables, self._start, self._buffers, self.stream)

    @property
    def acting(self) -> list[int]:
        """The seats that must act now."""
        together = stepping.who_acts(self.tables) if self.next >= 0 else 0
        return [seat for seat in range(self.setting.seats) if together >> seat & 1]

    # --- Looking

    def observe(self, seat: int, more: int = 0) -> tuple[Array, Array]:
        """Return what a seat sees and what it may do, in new arrays; the mask has room for so many actions more."""
        planes, mask = np.empty(self._size, np.int8), np.empty(self._actions + more, np.int8)
        stepping.observe_seat(self.tables, seat, self._buffers, planes, mask)
        if self.next < 0:
            mask[:] = 0
        return planes.reshape(self._shape), mask

    def full_observation(self) -> Array:
        """Return the whole table as planes, in the order of the seats, with nothing hidden."""
        planes = np.empty(self._size, np.int8)
        self.setting.game.observer.observe(self.tables[0], 0, planes)
        return planes.reshape(self._shape)

    def text(self) -> str:
        """Draw the whole table as text."""
        boards = self.setting.game.boards(copy_of(self.tables[0]))
        return "\n\n".join("\n".join([board.title, plain(board), *board.notes]) for board in boards)

    def picture(self) -> npt.NDArray[np.uint8]:
        """Draw the whole table as a picture."""
        from smalti.research.pixels.picture import picture  # drawing takes a moment to load

        return picture(self.setting.game.boards(copy_of(self.tables[0])), self.setting.seats, self.acting)

    # --- Playing

    def act(self, seat: int, action: int, forgiving: bool = False) -> int:
        """Play a seat's action and go on; return the seat that is next, or what became of the game.

        An illegal action ends the game; a forgiving one raises `Refused` and nothing has happened.
        """
        then = stepping.turn(self.tables, seat, action, self._buffers, self.stream)
        if then == ILLEGAL:
            refusal = self.why_not(seat, action)
            if forgiving:
                raise refusal
            self.refusal = refusal
        self.next = then
        return then

    def why_not(self, seat: int, action: int) -> Refused:
        """Say why an action is illegal."""
        game, table = self.setting.game, self.tables[0]
        if not acting(table) >> seat & 1:
            return game.why_not_seat(table, seat)
        if action >= game.actions:
            sentence = f"{seat_word(seat)} has to act now and cannot wait."
            return Refused("", "research.must-act", sentence, {"seat": seat})
        return game.why_not(table, seat, action)

    def rewards(self, offenders: Collection[int] = ()) -> list[float]:
        """Return what the game was worth to each seat; those who made an illegal move pay for it."""
        found: Any = np.zeros(self.setting.seats)
        if self.next == ILLEGAL:
            found[list(offenders)] = self.setting.penalty
        else:
            stepping.write_rewards(self.tables, self.setting.kind, self.buffers.scores, found)
        rewards: list[float] = found.tolist()
        return rewards
