"""Where a game of OpenSpiel begins, as text that a game string can hold: every move that leads there.

A move is a letter for who (`a` to `h` for the seats, `x` for chance) and its number: `x1029x1035a17b4`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from smalti.engine.errors import BadInput, SmaltiError, shown
from smalti.engine.game import Game
from smalti.engine.loops import nodes
from smalti.engine.loops.playing import Lists, Tables
from smalti.engine.loops.stepping import who_acts
from smalti.engine.match import Match
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import CHANCE, NOBODY
from smalti.research.setting import Setting, moves_of

SEATS = "abcdefgh"
DEALER = "x"
MOVE = re.compile(r"([a-hx])([0-9]{1,9})")


def start_text(match: Match) -> str:
    """Write how a match got where it stands."""
    seats, actions = iter([by for by, _ in match.events if by is not None]), match.game.actions
    return "".join(f"{DEALER if move >= actions else SEATS[next(seats)]}{move}" for move in moves_of(match))


def start_moves(game: Game, text: str) -> list[tuple[int, int]]:
    """Read who plays what; chance is `NOBODY`."""
    found = [(SEATS.find(who), int(move)) for who, move in MOVE.findall(text)]
    is_whole = MOVE.sub("", text) == ""
    if not is_whole or any((seat == NOBODY) != (move >= game.actions) for seat, move in found):
        example = f"{DEALER}{game.actions}{SEATS[0]}0"
        raise BadInput(f"a start is moves such as {example}: a letter for who, x for chance; not {shown(text)}")
    return found


def with_start(setting: Setting, text: str, lists: Lists) -> Setting:
    """Return the setting with the position that a start leads to."""
    if not text:
        return setting
    game, moves = setting.game, start_moves(setting.game, text)
    tables = tables_of(bytes_of(setting.start), game.table.dtype)
    for seat, move in moves:
        if nodes.step(tables, seat, move, lists)[0] == nodes.REFUSED:
            raise refusal(game, tables, seat, move)
    if who_acts(tables) == 0:
        raise BadInput("the start is a game that is over; give one that goes on")
    return replace(setting, start=tables[0], after=tuple(move for _, move in moves))


def refusal(game: Game, tables: Tables, seat: int, move: int) -> SmaltiError:
    """Say why a seat (`NOBODY`: chance) cannot play this move."""
    who = who_acts(tables)
    if seat == NOBODY and who == CHANCE:
        is_known = game.actions <= move < len(game.notation.TEXTS)
        return BadInput(f"chance cannot do {shown(game.text(move)) if is_known else move - game.actions} now")
    if seat == NOBODY or not who >> seat & 1:
        return game.why_not_seat(tables[0], seat)
    if not 0 <= move < game.actions:
        return BadInput(f"there is no action {move}; the actions are 0 to {game.actions - 1}")
    return game.why_not(tables[0], seat, move)
