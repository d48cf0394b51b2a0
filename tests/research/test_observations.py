"""Observations: what the planes say is what lies on the table, and nothing that a seat may not see."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import smalti
import smalti.research
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.engine.rules import observe
from smalti.research.setting import setting as setting_of
from tests.support import EVERY_SETTING, SETTING_NAMES, few, random_match
from tests.test_promises import with_other_secrets

Setting = tuple[Game, int, dict[str, str]]
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)
seeds = st.integers(0, 2**32 - 1)


def planes_of(match: Match, seat: int) -> dict[str, npt.NDArray[np.int8]]:
    """Return what a seat sees of a match, by the names of the planes."""
    found = setting_of(match.game.name, match.seats, options=match.options)
    planes = np.full(found.shape, 99, np.int8)
    observe(match.seen_by(seat), seat, planes.reshape(-1))
    return {name: planes[where] for name, where in found.named_planes().items()}


def value(planes: npt.NDArray[np.int8]) -> list[int]:
    """Return the values of planes that are the same on every cell."""
    assert (planes == planes[:, :1, :1]).all()
    return [int(plane[0, 0]) for plane in planes]


@every_setting
@settings(max_examples=few(20))
@given(seed=seeds)
def test_every_cell_is_written_and_within_its_bounds(setting: Setting, seed: int) -> None:
    luck = random.Random(seed)
    match = random_match(*setting, luck, luck.randrange(200))
    chosen = setting_of(match.game.name, match.seats, options=match.options)
    for seat in range(match.seats):
        for name, planes in planes_of(match, seat).items():
            top = chosen.tops[chosen.named_planes()[name]]
            assert (planes >= 0).all(), name
            assert (planes <= top).all(), name


@every_setting
def test_every_seat_sees_itself_first(setting: Setting) -> None:
    for seed in range(few(20)):
        match = random_match(*setting, random.Random(seed), 10 + 3 * seed)
        for seat in range(match.seats):
            assert value(planes_of(match, seat)["turn"]) == [seat in match.acting]


@settings(max_examples=few(60))
@given(seed=seeds, seats=st.sampled_from([3, 4, 5]), hands=st.sampled_from(["open", "hidden"]))
def test_observations_do_not_change_with_anothers_secret(seed: int, seats: int, hands: str) -> None:
    luck = random.Random(seed)
    match = random_match(smalti.games.find("mozaika"), seats, {"hands": hands}, luck, luck.randrange(200))
    while match.awaits_chance:
        match.draw(luck)
    assume(not match.is_over)  # there is no environment of a game that is over
    seat = luck.randrange(seats)
    other = match.at(changed_secrets(match, seat, luck))
    envs = [smalti.research.aec_env("mozaika", start=match) for _ in range(2)]
    for env, state in zip(envs, (match, other), strict=True):
        env.reset(seed=1)
        env.play.tables[0] = state.table
    seen = [env.observe(f"player_{seat}") for env in envs]
    assert np.array_equal(seen[0]["observation"], seen[1]["observation"])
    assert np.array_equal(seen[0]["action_mask"], seen[1]["action_mask"])


def changed_secrets(match: Match, seat: int, luck: random.Random) -> Any:
    """Return the table with everything re-dealt that this seat may not see: with open hands only the bids."""
    changed = with_other_secrets(match.table, seat, luck)
    if match.options["hands"] == "open":
        changed.hands[:], changed.bag[:] = match.table.hands, match.table.bag
    return changed


def test_secrets_are_seen_by_those_who_have_them() -> None:
    match = Match(smalti.games.find("mozaika"), 3, {"hands": "hidden"})
    match.draw(random.Random(1))
    own, other = planes_of(match, 0)["hands"], planes_of(match, 1)["hands"]
    assert own[0].sum() == 4
    assert own[1:].sum() == 0
    assert not np.array_equal(own[0], other[0])
    assert planes_of(match, 0)["unseen"].sum() == 12 * 5 - 4


# --- The planes of each game


def test_mosaix_shows_grids_dice_and_the_formation() -> None:
    match = Match(smalti.games.find("mosaix"), 2)
    for by, do in ((None, "deal o@d4 x@d4"), (None, "roll otxx"), (0, "form L xoxt")):
        match.play(by, do)
    mine, theirs = planes_of(match, 0), planes_of(match, 1)
    assert np.argwhere(mine["grids"]).tolist() == [[0, 3, 3], [5, 3, 3]]  # my o, their x
    assert np.argwhere(theirs["grids"]).tolist() == [[2, 3, 3], [3, 3, 3]]
    assert value(mine["dice"]) == [1, 1, 2]
    assert np.argwhere(mine["formation"]).tolist() == [[0, 1, 0], [1, 1, 2], [2, 0, 2], [2, 1, 1]]  # ..x / oxt
    assert value(mine["phase"]) == [0, 1]
    assert value(mine["roller"]) == [1, 0]
    assert value(theirs["roller"]) == [0, 1]
    match.play(0, "place 0 1,1")
    mine, theirs = planes_of(match, 0), planes_of(match, 1)
    assert np.argwhere(mine["grids"][:3]).tolist() == [[0, 1, 0], [0, 3, 3], [1, 1, 2], [2, 0, 2], [2, 1, 1]]
    assert (value(mine["waiting"]), value(theirs["waiting"])) == ([0, 1], [1, 0])
    assert (value(mine["turn"]), value(theirs["turn"])) == ([0], [1])


def test_mosaix_alone_shows_the_free_boxes() -> None:
    match = Match(smalti.games.find("mosaix"), 1)
    for by, do in ((None, "deal o@d4"), (None, "roll oooo"), (0, "form I oooo"), (0, "place 0 5,1")):
        match.play(by, do)
    assert value(planes_of(match, 0)["boxes"]) == [7]
    assert planes_of(match, 0)["grids"][0].sum() == 4


def test_patterns_shows_fronts_groups_and_bowls() -> None:
    match = random_match(smalti.games.find("patterns"), 2, {}, random.Random(5), 9)
    table = match.table
    for seat in range(2):
        seen = planes_of(match, seat)
        for colour in range(6):
            assert seen["front"][colour].sum() == int(table.front[colour]).bit_count()
            for place in range(2):
                owner = seat ^ place
                group, marker = int(table.groups[owner, colour]), int(table.markers[owner, colour])
                plane = seen["groups"][6 * place + colour]
                assert plane.sum() == group.bit_count() * marker
                assert [8 * row + column for row, column in np.argwhere(plane)] == smalti.engine.bits.numbers(group)
        bowls = value(seen["bowls"])
        assert (bowls[:6].index(1), bowls[6:].index(1)) == (table.bowls[seat], table.bowls[1 - seat])
    assert not seen["front"][:, 0, 0].any()  # no space of the mandala


def test_mozaika_shows_tiles_by_colour_and_symbol() -> None:
    match = Match(smalti.games.find("mozaika"), 3)
    match.play(None, "deal R1 R1 B2 Y4 R2 R2 R2 R2 B1 B1 B1 B1")
    assert planes_of(match, 0)["hands"][0].tolist() == [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    match.play(0, "lay B2 c1")
    mine = planes_of(match, 0)
    assert np.argwhere(mine["boards"]).tolist() == [[1, 0, 2], [4, 0, 2]]  # blue, symbol 2
    assert value(planes_of(match, 1)["waiting"]) == [1, 1, 0]
    match.play(1, "lay R2 a1")
    match.play(2, "lay B1 a1")
    match.play(None, "draw R1 R3 R3 Y4")
    assert planes_of(match, 2)["display"][0].tolist() == [[1, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    for seat, coins in enumerate((3, 4, 5)):
        match.play(seat, f"bid {coins}")
    mine = planes_of(match, 0)
    assert value(mine["bids"]) == [3, 4, 5]
    assert value(mine["order"]) == [3, 2, 1]
    assert value(mine["coins"]) == [7, 6, 5]
    assert (value(mine["phase"]), value(mine["round"])) == ([0, 1, 0, 0], [2])
    assert value(planes_of(match, 2)["turn"]) == [1]
    assert value(planes_of(match, 2)["starter"]) == [0, 0, 1]


def test_the_state_hides_nothing() -> None:
    env = smalti.research.aec_env("mozaika", players=3, hands="hidden")
    env.reset(seed=1)
    state, where = env.state(), env.setting.named_planes()
    assert state[where["hands"]].sum() == 12
    assert env.observe("player_0")["observation"][where["hands"]].sum() == 4
