"""Bots know no more than their seat: nothing that is hidden from it, and nothing of what chance will do.

Every check is a function that is given a way to choose; that it could fail is shown by somebody who cheats.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from smalti import bots
from smalti.arena.contest import Contest
from smalti.arena.matches import dice, places
from smalti.bots.bot import Seen
from smalti.engine.chance import stream_of
from smalti.engine.errors import BadInput
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.rules import redeal
from tests.bots.tables import SETTINGS, Setting, everybody, go_on, new_match, seen_by, table_after

Choose = Callable[[Match, int], str]

OPEN, HIDDEN = Setting("mozaika", 3, {}), Setting("mozaika", 4, {"hands": "hidden"})
MOZAIKA = everybody("mozaika")


def by(bot: str) -> Choose:
    """Return how a bot of ours chooses: it gets what its seat sees, and nobody takes its place."""

    def choose(match: Match, seat: int) -> str:
        player = bots.find(bot, match.game.name)
        return match.game.text(player.think(seen_by(match, seat), player.budget).move)

    return choose


# --- What is hidden


def sealed_twins() -> Iterator[tuple[Match, Match, int]]:
    """Give matches that differ only in bids which others have made in secret, and the seat that bids next."""
    match, luck = new_match(OPEN), random.Random(1)
    while len(match.acting) < 3 or not any(text.startswith("bid") for text in match.legal(0)):
        go_on(match, luck)
    low, high = match.copy(), match.copy()
    for seat in (0, 2):
        low.play(seat, match.legal(seat)[0])
        high.play(seat, match.legal(seat)[-1])
    yield low, high, 1


def dealt_twins() -> Iterator[tuple[Match, Match, int]]:
    """Give matches that differ only in hands which a seat cannot see, and that seat."""
    for events in (5, 13, 22):
        match = table_after(HIDDEN, events)
        seat, other = min(match.acting), match.table
        for number in range(100):
            redeal(other, seat, stream_of(number))
            if bytes_of(other) != bytes_of(match.table):
                break
        other.waiting = match.table.waiting  # who has bid in secret bids again
        yield match, match.at(other), seat


def check_blindness(choose: Choose, twins: Iterator[tuple[Match, Match, int]]) -> None:
    """Make sure that somebody plays the same where only what they cannot see differs."""
    for one, other, seat in twins:
        assert bytes_of(one.table) != bytes_of(other.table)
        assert choose(one, seat) == choose(other, seat)


@pytest.mark.parametrize("bot", MOZAIKA)
def test_bids_that_others_have_sealed_make_no_difference(bot: str) -> None:
    check_blindness(by(bot), sealed_twins())


@pytest.mark.parametrize("bot", MOZAIKA)
def test_hands_that_others_hide_make_no_difference(bot: str) -> None:
    check_blindness(by(bot), dealt_twins())


@pytest.mark.parametrize("twins", [sealed_twins, dealt_twins])
def test_who_looks_at_the_table_itself_is_found_out(twins: Callable[[], Iterator[tuple[Match, Match, int]]]) -> None:
    def cheating(match: Match, seat: int) -> str:
        return random.Random(bytes_of(match.table)).choice(match.legal(seat))

    with pytest.raises(AssertionError):
        check_blindness(cheating, twins())


# --- What chance will do


def check_memory(choose: Choose, setting: Setting) -> None:
    """Make sure that somebody asked again answers the same, whatever has happened and been thought of since."""
    match = table_after(setting, 7)
    seat = min(match.acting)
    answer = choose(match, seat)
    later, luck = match.copy(), random.Random(1)
    while len(later.events) < len(match.events) + 5 or later.awaits_chance:
        go_on(later, luck)
    choose(later, min(later.acting))
    assert choose(match, seat) == answer


ASKED = [(setting, bot) for setting in SETTINGS for bot in everybody(setting.game)]


@pytest.mark.parametrize(("setting", "bot"), ASKED, ids=str)
def test_what_happens_later_does_not_change_an_answer(setting: Setting, bot: str) -> None:
    check_memory(by(bot), setting)


def test_who_remembers_what_came_is_found_out() -> None:
    asked: list[Match] = []

    def remembering(match: Match, seat: int) -> str:
        asked.append(match)
        return match.legal(seat)[min(len(asked), len(match.legal(seat))) - 1]

    with pytest.raises(AssertionError):
        check_memory(remembering, SETTINGS[0])


def test_what_a_bot_gets_is_the_table_its_seat_and_luck_of_its_own() -> None:
    match = table_after(SETTINGS[0], 7)
    seen = seen_by(match, min(match.acting))
    assert set(vars(seen)) == {"game", "tables", "seat", "number", "seed"}
    assert bytes_of(seen.table) == bytes_of(match.seen_by(seen.seat))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_table_says_what_chance_will_do(setting: Setting) -> None:
    match = table_after(setting, 7)
    while not match.awaits_chance and not match.is_over:
        go_on(match, random.Random(3))
    match = new_match(setting) if match.is_over else match
    drawn = set()
    for seed in range(20):
        other = match.copy()
        other.draw(random.Random(seed))
        drawn.add(other.events[-1].do)
    assert len(drawn) > 4


def foretold(contest: Contest, deals: int, luck: Callable[[int], Callable[[int], int]]) -> int:
    """Return how many first draws of the arena somebody can foretell who draws with this luck."""
    hits = 0
    for deal in range(deals):
        real, guess = new_match(SETTINGS[0]), new_match(SETTINGS[0])
        real.draw(dice(contest, deal, 0))
        guess.draw(luck(deal))
        hits += real.events == guess.events
    return hits


def test_the_luck_of_a_seat_tells_nothing_about_chance() -> None:
    contest = Contest("patterns", 2, ("greedy", "random"), seed=5)

    def of_the_seat(deal: int) -> Callable[[int], int]:
        seed = places(contest, deal, (0, 1))[0].seed
        return lambda number: int(stream_of(seed, number)[0])

    assert foretold(contest, 10, of_the_seat) == 0
    assert foretold(contest, 10, lambda deal: dice(contest, deal, 0)) == 10


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_table_that_is_over_is_refused(setting: Setting) -> None:
    match, luck = new_match(setting), random.Random(1)
    while not match.is_over:
        go_on(match, luck)
    with pytest.raises(BadInput, match="does not have to act"):
        Seen(match.game, bytes_of(match.seen_by(0)), 0, 1)
