"""The chaos in short: what must hold whatever happens, each part by counts that a busy machine does not change.

`python3 dev.py chaos --minutes 20 --only kills` runs the same for longer and keeps the figures.
"""

from __future__ import annotations

from tests.chaos import bus, database, flood, kills, malformed, onlookers, rooms, standstill, twins
from tests.chaos.budget import Budget

SHORT = Budget()


def test_whatever_was_acknowledged_survives_kills_once_and_in_order() -> None:
    assert kills.run(SHORT)["kills"] == 6


def test_what_happens_while_the_bus_is_away_is_known_everywhere_afterwards() -> None:
    assert bus.run(SHORT)["rounds"] == 2


def test_a_database_that_is_away_refuses_in_words_and_loses_nothing() -> None:
    assert database.run(SHORT)["PostgreSQL: times away"] == 2


def test_nobody_is_late_because_the_server_stood_still() -> None:
    assert standstill.run(SHORT)["rounds"] == 1


def test_malformed_input_is_refused_and_nobody_else_notices() -> None:
    assert malformed.run(SHORT)["malformed inputs"] >= 6000


def test_twin_tables_look_the_same_to_whoever_may_not_know_the_difference() -> None:
    assert twins.run(SHORT)["pairs of tables"] == twins.AT_ONCE


def test_two_pages_see_each_other_however_small_the_cache_is() -> None:
    assert rooms.run(SHORT)["tables"] == 60


def test_an_honest_player_plays_on_while_another_address_floods() -> None:
    assert flood.run(SHORT)["honest moves"] >= flood.LEAST_MOVES


def test_all_of_many_onlookers_are_told_a_move() -> None:
    assert onlookers.run(SHORT)["onlookers"] == 200
