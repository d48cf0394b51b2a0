"""The bots that know Mosaix: one takes what counts now, one sees what areas may become and what may be rolled next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.bot import Bot, Seen, plain
from smalti.bots.mosaix.simple.heuristic import (
    NOTHING,
    SEQUENCE_COUNT,
    Floats,
    Situation,
    Words,
    after_writing,
    forms_promise,
    list_promises,
    promise_now,
    roll_promise,
)
from smalti.bots.plain import GREEDY, SEARCH
from smalti.games.mosaix.tables import (
    ANCHORS,
    DICE,
    FORMATIONS,
    FORMING,
    LANDING,
    PASS,
    PLACE,
    ROLL_WEIGHTS,
    SEQUENCES,
)

# What a part of an area counts with 0 to 5 cells; a liberty, a hole, a free box; how much less late.
POINTS_ONLY = np.array([0, 0, 0, 0, 0, 1, 0, 0, 1, 0], np.float64)
PROMISE = np.array([0, 0.16, 0.37, 0.52, 0.76, 1, 0.15, 1.0, 2.4, 0.3])

CANDIDATES = 8  # moves that are thought about twice
FORMS_AHEAD = 60  # when others arrange it
ENVY = 0.5  # what the others' gain of an arrangement counts, against one's own


class After(NamedTuple):
    """What can be written, the move that leads there, and what the grid then promises."""

    worth: float
    move: int
    form: int
    placement: int


@dataclass(frozen=True)
class Player:
    """A seat with its grid, and the dials it values grids by."""

    grid: Words
    boxes: int
    is_solo: bool
    dials: Floats

    @property
    def spare(self) -> int:
        """How many dice may be left out. (MX-4, MX-11)"""
        return min(DICE - 1, self.boxes) if self.is_solo else DICE - 1

    @property
    def situation(self) -> Situation:
        """The same for compiled code."""
        return Situation(self.grid, self.boxes, self.spare, self.dials)

    def afters(self, form: int, most: int, arranges: bool = False) -> list[After]:
        """List the best ways to write a formation; the move is the placement, or else the one that arranges it."""
        places, worths = np.zeros(4 * ANCHORS, np.int32), np.zeros(4 * ANCHORS)
        found = list_promises(self.situation, form, places, worths)
        best = np.argsort(-worths[:found], kind="stable")[:most]
        return [
            After(worth, form if arranges else place, form, place - PLACE)
            for worth, place in zip(worths[best].tolist(), places[best].tolist(), strict=True)
        ]

    def best_of(self, forms: npt.NDArray[np.int32]) -> Floats:
        """Return for each arrangement the most it can make of the grid, next to nothing where it does not fit.

        So the roller arranges something it can write itself; if everybody avoided that, no game would end. (R3)
        """
        worths = np.zeros(len(forms))
        forms_promise(self.situation, forms, worths)
        return worths

    def hopes_of(self, forms: npt.NDArray[np.int32]) -> Floats:
        """Return the same for arrangements of others, where the grid stays as it is if one does not fit."""
        worths = self.best_of(forms)
        return np.where(worths == NOTHING, promise_now(self.situation), worths)

    def then(self, after: After) -> Player:
        """Return the player after writing."""
        formation, sequence = divmod(after.form, SEQUENCE_COUNT)
        grid = np.array(after_writing(self.grid, formation, sequence, after.placement), np.uint64)
        lost = int((LANDING[formation, after.placement // ANCHORS, after.placement % ANCHORS] < 0).sum())
        return Player(grid, self.boxes - lost if self.is_solo else 0, self.is_solo, self.dials)


def player(seen: Seen, seat: int, dials: Floats) -> Player:
    """Return a seat as a player with these dials."""
    return Player(seen.table.grids[seat].copy(), int(seen.table.boxes), int(seen.table.seats) == 1, dials)


# --- One step


def greedy(seen: Seen) -> int:
    """Return the arrangement or the placement that counts most at once."""
    own = player(seen, seen.seat, POINTS_ONLY)
    if seen.table.phase == FORMING:
        return seen.best(dict(zip(seen.moves, own.best_of(np.array(seen.moves, np.int32)).tolist(), strict=True)))
    if seen.moves == [PASS]:
        return PASS
    return seen.best({after.move: after.worth for after in own.afters(form_of(seen), 4 * ANCHORS)})


def form_of(seen: Seen) -> int:
    """Return the arrangement that everybody writes, as the number of its move."""
    return int(seen.table.formation) * SEQUENCE_COUNT + int(seen.table.arrangement)


# --- Two steps


def search(seen: Seen) -> int:
    """Return the move that leaves the best grid for what may be rolled next."""
    if seen.moves == [PASS]:
        return PASS
    own = player(seen, seen.seat, PROMISE)
    if seen.table.phase == FORMING and not own.is_solo:
        return best_form(seen, own)
    if seen.table.phase == FORMING:
        forms = np.array(seen.moves, np.int32)
        likely = forms[np.argsort(-own.best_of(forms), kind="stable")[:CANDIDATES]].tolist()
        return looked_ahead(seen, own, [after for form in likely for after in own.afters(form, 4 * CANDIDATES, True)])
    return looked_ahead(seen, own, own.afters(form_of(seen), 4 * CANDIDATES))


def best_form(seen: Seen, own: Player) -> int:
    """Return the arrangement that helps the seat most and the others little; they write it too. (MX-3)"""
    forms = np.array(seen.moves, np.int32)
    worths = own.best_of(forms)
    others = [player(seen, seat, PROMISE) for seat in range(int(seen.table.seats)) if seat != seen.seat]
    for other in others:
        worths -= ENVY / len(others) * other.hopes_of(forms)
    return seen.best(dict(zip(seen.moves, worths.tolist(), strict=True)))


def looked_ahead(seen: Seen, own: Player, afters: list[After]) -> int:
    """Return the move of the candidate with the best outlook."""
    best: dict[bytes, After] = {}
    for after in sorted(afters, reverse=True):
        if len(best) == CANDIDATES:
            break
        then = own.then(after)
        best.setdefault(then.grid.tobytes(), after)
    ahead = forms_ahead(seen)
    worths = [(outlook(own.then(after), ahead), after.move) for after in best.values()]
    return max(worths)[1]


def forms_ahead(seen: Seen) -> npt.NDArray[np.int32]:
    """Draw what others may arrange next; nothing where the next roll is the seat's own."""
    others = (int(seen.table.roller) + 1) % int(seen.table.seats) != seen.seat
    forms = seen.luck.choices(range(len(FORMATIONS) * len(SEQUENCES)), k=FORMS_AHEAD if others else 0)
    return np.array(forms, np.int32)


def outlook(then: Player, forms: npt.NDArray[np.int32]) -> float:
    """Return what the grid promises on average after one more round: of these forms, or of one's own roll."""
    if len(forms):
        return float(then.hopes_of(forms).mean())
    promises = [roll_promise(then.situation, roll) for roll in range(len(ROLL_WEIGHTS))]
    return float(np.average(promises, weights=ROLL_WEIGHTS))


BOTS = (Bot("greedy", GREEDY, plain(greedy), "mosaix"), Bot("search", SEARCH, plain(search), "mosaix"))
