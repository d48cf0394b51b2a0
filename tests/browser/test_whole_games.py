"""Whole games as people play them: with bots, alone, by touch, by keys, in words, each to its end with the result."""

from __future__ import annotations

import random
import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.keys import MosaixByKeys, PatternsByKeys, choose, named
from tests.browser.mosaix import Mosaix
from tests.browser.mozaika import Mozaika, chosen_move
from tests.browser.patterns import Patterns
from tests.browser.playing import play, take_turn
from tests.browser.words import InWords


def test_mosaix_is_played_alone_to_its_end(visit: Visit, luck: random.Random) -> None:
    ada = visit(theme="light")
    ada.play_solo("mosaix")
    play([ada], Mosaix(), luck)
    ada.reads_result()
    assert ada.verdict in ("brilliant", "won", "lost")


def test_mosaix_is_played_by_touch_with_three_bots(visit: Visit, luck: random.Random) -> None:
    ada = visit("phone")
    ada.make_table("mosaix", "Ada", "bot:level-2", "bot:level-1", "bot:level-2")
    play([ada], Mosaix(), luck)
    ada.reads_result()


def test_mozaika_is_played_by_touch_with_four_bots(visit: Visit, luck: random.Random) -> None:
    ada = visit("phone", theme="light")
    ada.make_table("mozaika", "Ada", "bot:level-2", "bot:level-1", "bot:level-1", "bot:level-2")
    play([ada], Mozaika(), luck)
    ada.reads_result()


def test_patterns_is_played_with_keys_only(visit: Visit, luck: random.Random) -> None:
    ada = visit()
    ada.open("/")
    choose(ada, named(ada, "^Play now : Patterns$"))
    ada.is_at_table()
    play([ada], PatternsByKeys(), luck)
    ada.reads_result()


def test_mosaix_is_played_with_keys_only(visit: Visit, luck: random.Random) -> None:
    ada = visit()
    ada.open("/")
    choose(ada, named(ada, "^Solo ?: Mosaix$"))
    ada.is_at_table()
    play([ada], MosaixByKeys(), luck)
    ada.reads_result()


def test_mozaika_is_played_in_words_only(visit: Visit, luck: random.Random) -> None:
    ada = visit()
    ada.play_now("mozaika")
    ada.sit_before()
    ada.use_words()
    expect(ada.page.get_by_role("region", name="The table in words")).to_be_visible()
    play([ada], InWords(chosen_move), luck)
    expect(ada.page.get_by_role("group", name=re.compile("^Mosaic of "))).to_have_count(0)
    ada.reads_result()


def test_patterns_goes_on_at_one_screen_and_a_rematch_rotates_the_seats(visit: Visit, luck: random.Random) -> None:
    screen = visit("phone")
    first = screen.make_table("patterns", "Ada", "Ben")
    play([screen], Patterns(), luck)
    screen.reads_result()
    assert screen.names == ["Ada", "Ben"]
    screen.press_button("Play again")
    screen.page.wait_for_url(lambda address: not address.endswith(first))
    screen.is_at_table()
    assert screen.names == ["Ben", "Ada"]
    take_turn(screen, Patterns(), luck)
