"""A match: playing, refusing, undoing, changing a sealed bid, copying."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import smalti
from smalti.engine.chance import stream_of
from smalti.engine.match import Match
from smalti.engine.records import replayed
from tests.support import random_match

MOSAIX = smalti.games.find("mosaix")
MOZAIKA = smalti.games.find("mozaika")


def written_once() -> Match:
    """Two players, the first of whom has written."""
    match = Match(MOSAIX, 2)
    for by, do in [(None, "deal o@d4 x@d4"), (None, "roll ootx"), (0, "form I ootx"), (0, "place 0 1,1")]:
        match.play(by, do)
    return match


def auction() -> Match:
    """Three players who are about to bid."""
    match = random_match(MOZAIKA, 3, {}, random.Random(1), events=4)
    match.draw(random.Random(1))
    return match


def test_who_must_act_is_a_set_of_seats() -> None:
    match = written_once()
    assert match.acting == {1}
    match.undo()
    assert match.acting == {0, 1}


def test_a_refusal_names_the_rule_and_changes_nothing() -> None:
    match = written_once()
    before = match.copy()
    with pytest.raises(smalti.Refused) as refused:
        match.play(1, "place 0 4,4")
    assert (refused.value.rule, refused.value.reason) == ("MX-5", "mosaix.taken")
    assert str(refused.value) == "d4 is taken already."
    assert refused.value.values == {"cell": "d4"}
    assert match == before


@pytest.mark.parametrize("seat", [-1, 2, 10**9, True, "0", 0.0])
def test_a_seat_that_is_not_there_is_bad_input(seat: object) -> None:
    with pytest.raises(smalti.BadInput, match="seats are 0 to 1"):
        written_once().play(seat, "pass")  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [-1, 10**6, True, None, 1.5])
def test_a_move_that_is_not_there_is_bad_input(move: object) -> None:
    with pytest.raises(smalti.BadInput, match="moves are 0 to"):
        written_once().play(1, move)  # type: ignore[arg-type]


def test_chance_is_given_as_text() -> None:
    with pytest.raises(smalti.BadInput, match="given as text"):
        Match(MOSAIX, 2).play(None, 7)


def test_chance_cannot_act_out_of_turn() -> None:
    with pytest.raises(smalti.Refused, match="still writing: Seat 1"):
        written_once().play(None, "roll ootx")
    with pytest.raises(smalti.Refused):
        written_once().draw(random.Random(1))


def test_moves_are_texts_and_numbers() -> None:
    match = written_once()
    assert [match.game.text(move) for move in match.legal_moves(1)] == match.legal(1)
    assert match.legal(0) == []


def test_undo_goes_back_to_the_beginning() -> None:
    match = written_once()
    events = list(match.events)
    undone = [match.undo() for _ in range(len(events))]
    assert undone == events[::-1]
    assert match == Match(MOSAIX, 2)
    with pytest.raises(smalti.BadInput, match="nothing has happened"):
        match.undo()


def test_equal_positions_are_equal_however_they_came_about() -> None:
    events = [(None, "deal o@d4 x@d4"), (None, "roll ootx"), (0, "form I ootx")]
    one, other = Match(MOSAIX, 2), Match(MOSAIX, 2)
    for by, do in [*events, (0, "place 0 1,1"), (1, "place 0 1,1")]:
        one.play(by, do)
    for by, do in [*events, (1, "place 0 1,1"), (0, "place 0 1,1")]:
        other.play(by, do)
    assert one == other
    assert hash(one) == hash(other)
    assert one.events != other.events
    assert one != "a match"


def test_changing_the_table_one_is_given_changes_nothing() -> None:
    match = written_once()
    match.table.grids[:] = 0
    assert match == written_once()


def test_a_sealed_bid_can_be_changed_until_the_last_one_is_in() -> None:
    match = auction()
    match.play(0, "bid 4")
    match.play(1, "bid 2")
    match.change(0, "bid 7")
    assert [event.do for event in match.events[-2:]] == ["bid 7", "bid 2"]
    match.play(2, "bid 0")
    with pytest.raises(smalti.BadInput, match="nothing that can still be changed"):
        match.change(0, "bid 1")
    assert match.view(None).places[0].bid == 7


def test_a_change_must_be_legal_and_loses_nothing() -> None:
    match = auction()
    match.play(0, "bid 4")
    with pytest.raises(smalti.Refused) as refused:
        match.change(0, "bid 40")
    assert refused.value.rule == "MZ-4"
    assert match.view(0).places[0].bid == 4


def test_what_others_have_seen_cannot_be_changed() -> None:
    match = written_once()
    for seat, event in ((0, "place 0 2,1"), (1, "pass")):
        with pytest.raises(smalti.BadInput, match="nothing that can still be changed"):
            match.change(seat, event)


def test_a_bid_not_made_yet_cannot_be_changed() -> None:
    with pytest.raises(smalti.BadInput, match="nothing that can still be changed"):
        auction().change(0, "bid 3")


def test_a_second_bid_is_refused() -> None:
    match = auction()
    match.play(0, "bid 4")
    with pytest.raises(smalti.Refused, match="has bid already"):
        match.play(0, "bid 4")


def test_the_same_source_draws_the_same() -> None:
    drawn = [Match(MOZAIKA, 4).draw(source).do for source in (random.Random(3), random.Random(3))]
    assert drawn[0] == drawn[1]
    streamed = [Match(MOZAIKA, 4).draw(stream_of(3)).do for _ in range(2)]
    assert streamed[0] == streamed[1]


def test_replaying_the_events_gives_the_match() -> None:
    match = random_match(MOZAIKA, 5, {"hands": "hidden"}, random.Random(9), events=90)
    assert replayed(match.game, 5, {"hands": "hidden"}, match.events) == match


@pytest.mark.parametrize("seats", [0, 5, -1, True, "2", None])
def test_a_wrong_number_of_players_is_bad_input(seats: object) -> None:
    with pytest.raises(smalti.BadInput, match="played by 1, 2, 3, 4 players"):
        Match(MOSAIX, seats)  # type: ignore[arg-type]


def test_a_match_goes_on_from_a_table_that_was_set_up_by_hand() -> None:
    match, table = auction(), auction().table
    table.coins[0] = 0
    poor = match.at(table)
    assert (poor.legal(0), poor.events) == (["bid 0"], match.events)
    assert len(match.legal(0)) > 1, "the match itself stays as it was"
    table.coins[0] = 5
    assert poor.legal(0) == ["bid 0"], "and so does the table that was given"
    poor.play(0, "bid 0")
    poor.undo()
    assert poor == match.at(poor.table)


def test_a_match_does_not_go_on_from_a_table_of_another_game() -> None:
    with pytest.raises(smalti.BadInput, match="that is no table of Mozaika"):
        auction().at(written_once().table)
    with pytest.raises(smalti.BadInput, match="that is no table of Mozaika"):
        auction().at(None)


def test_unknown_options_are_bad_input() -> None:
    with pytest.raises(smalti.BadInput, match="has no option 'colour'"):
        Match(MOSAIX, 2, {"colour": "red"})
    with pytest.raises(smalti.BadInput, match="it can be: centre, scattered"):
        Match(MOSAIX, 2, {"cards": "red"})


def test_there_are_three_games() -> None:
    assert smalti.games.names() == ["mosaix", "mozaika", "patterns"]
    with pytest.raises(smalti.BadInput, match="there are: mosaix, mozaika, patterns"):
        smalti.games.find("chess")


def test_a_game_for_more_seats_than_there_is_room_for_is_refused() -> None:
    with pytest.raises(TypeError, match="a game has at most 5 seats, not 6"):
        replace(MOZAIKA, seats=(3, 4, 5, 6))


def test_the_goals_of_a_game_for_one_are_those_its_verdicts_go_by() -> None:
    assert MOSAIX.goals == {"won": 120, "brilliant": 130}
    assert not MOZAIKA.goals
