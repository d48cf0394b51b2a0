"""What every game promises, as checks that run on any match: the suite a new game has to pass.

Each check takes a match as it stands and leaves it as it was; it raises `AssertionError` with what was broken.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from inspect import isfunction, signature
from itertools import permutations

from smalti.engine.errors import Refused
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.records import parse, record_of
from smalti.engine.rules import NOBODY

Check = Callable[[Match, random.Random], None]


def legal_moves_can_be_played(match: Match, luck: random.Random) -> None:
    """Whatever is listed as legal can be played, by number and by text, with the same result; the list ascends."""
    for seat in match.acting:
        moves = match.legal_moves(seat)
        assert moves, f"seat {seat} must act and has no legal move"
        assert moves == sorted(set(moves)), "legal moves are not in ascending order"
        for move in luck.sample(moves, min(3, len(moves))):
            by_number, by_text = match.copy(), match.copy()
            by_number.play(seat, move)
            by_text.play(seat, match.game.text(move))
            assert by_number == by_text, match.game.text(move)


def illegal_moves_are_refused(match: Match, luck: random.Random) -> None:
    """Whatever is not listed is refused with a rule and a reason, and changes nothing."""
    before = match.copy()
    for seat in range(match.seats):
        legal = set(match.legal_moves(seat))
        for move in luck.sample(range(match.game.actions), min(5, match.game.actions)):
            if move in legal:
                continue
            refusal = refusal_of(match, seat, move)
            assert refusal, f"seat {seat} could play {match.game.text(move)}"
            assert refusal.rule, refusal
            assert refusal.reason.startswith(f"{match.game.name}."), refusal.reason
    assert match == before
    assert match.events == before.events


def refusal_of(match: Match, seat: int, move: int) -> Refused | None:
    """Return why a move is refused, None if it is played."""
    try:
        match.play(seat, move)
    except Refused as refusal:
        return refusal
    return None


def texts_and_moves_convert(match: Match, luck: random.Random) -> None:
    """Every move has a text of its own that leads back to it."""
    move = luck.randrange(match.game.actions)
    assert match.game.numbers[match.game.text(move)] == move
    assert len(match.game.numbers) == match.game.actions
    assert len(set(match.game.notation.TEXTS)) == len(match.game.notation.TEXTS)


def bare_words_only_end_something(match: Match, luck: random.Random) -> None:
    """A move of a single word (stop, done, pass) brings nobody points: whoever cannot judge may prefer the others."""
    for seat in match.acting:
        for move in match.legal_moves(seat):
            if " " not in match.game.text(move):
                after = match.copy()
                after.play(seat, move)
                assert after.scores == match.scores, match.game.text(move)


def chance_names_its_pieces(match: Match, luck: random.Random) -> None:
    """The last word of a move of chance says what comes, such as a tile; no two that are possible bring the same."""
    pieces = [match.game.text(move).split()[1:] for move in match.chances()]
    assert all(pieces), "a move of chance is a verb and what comes"
    assert len({words[-1] for words in pieces}) == len(pieces), pieces


def tables_know_their_seats(match: Match, luck: random.Random) -> None:
    """Where a game is for several numbers of players, its table has a field `seats`: searches read it there."""
    if len(match.game.seats) > 1:
        assert "seats" in match.table.dtype.names, "the table does not say for how many it is"
        assert match.table.seats == match.seats


def order_of_seats_does_not_matter(match: Match, luck: random.Random) -> None:
    """Seats that act together reach the same table in whatever order they act."""
    if len(match.acting) < 2:
        return
    choice = {seat: luck.choice(match.legal_moves(seat)) for seat in match.acting}
    tables = set()
    for order in permutations(sorted(choice)):
        trial = match.copy()
        for seat in order:
            trial.play(seat, choice[seat])
        tables.add(bytes_of(trial.table))
    assert len(tables) == 1, choice


def copies_never_change(match: Match, luck: random.Random) -> None:
    """A copy stays what it was when the original goes on, and undoing leads back to it."""
    copy = match.copy()
    snapshot = bytes_of(copy.table)
    if match.acting:
        seat = min(match.acting)
        match.play(seat, luck.choice(match.legal_moves(seat)))
        assert bytes_of(copy.table) == snapshot
        match.undo()
    assert match == copy
    assert hash(match) == hash(copy)
    assert match.events == copy.events


def hiding_is_final(match: Match, luck: random.Random) -> None:
    """Hiding twice hides no more, and what is seen can be drawn."""
    for seat in range(NOBODY, match.seats):
        seen = match.seen_by(seat)
        once = bytes_of(seen)
        match.game.rules.hide(seen, seat)
        assert bytes_of(seen) == once
        assert match.view(None if seat == NOBODY else seat)


def sealed_moves_stay_sealed(match: Match, luck: random.Random) -> None:
    """While seats act together, either everybody sees what one of them did, or nobody else sees any of it."""
    if len(match.acting) < 2:
        return
    seat = luck.choice(sorted(match.acting))
    moves = match.legal_moves(seat)
    first, second = match.copy(), match.copy()
    first.play(seat, moves[0])
    second.play(seat, moves[-1])
    if len(moves) > 1:
        told = {first.tells_seat(second, other) for other in range(NOBODY, match.seats) if other != seat}
        assert len(told) == 1, (seat, moves[0], moves[-1])


def scores_add_up(match: Match, luck: random.Random) -> None:
    """The breakdown adds up to the score, seat by seat, and every line of it has its rule and its cells' names."""
    totals = [0] * match.seats
    for item in match.breakdown():
        totals[item.seat] += item.points
        assert item.rule, item
        assert item.label, item
    assert totals == match.scores


def records_lose_nothing(match: Match, luck: random.Random) -> None:
    """A record read back is the same record."""
    record = record_of(match, note="kept")
    assert parse(record.text()) == record
    assert parse(record.line()) == record


def is_check(found: object) -> bool:
    """Say whether something is a promise: a function of this module about a match and luck."""
    return isfunction(found) and found.__module__ == __name__ and [*signature(found).parameters] == ["match", "luck"]


CHECKS: tuple[Check, ...] = tuple(found for found in [*globals().values()] if is_check(found))
