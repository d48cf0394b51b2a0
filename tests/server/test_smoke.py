"""One game of each kind through a real server: the first thing to run, and the first to fail when anything does."""

from __future__ import annotations

import random

import pytest

import smalti
from tests.server.site import Browser, play


@pytest.mark.parametrize("game", smalti.games.names())
def test_a_whole_game_is_played_stored_and_verified(game: str, host: Browser, guest: Browser) -> None:
    seats = max(2, smalti.games.find(game).seats[0])
    table = host.make(game, *["Ann", "Cleo", "Dara", "Enno"][: seats - 1], "link")
    assert guest.claim(table, "Bob", host.keys(table)[-1]).status_code == 200
    pages = [(host if seat < seats - 1 else guest).open(table, seat) for seat in range(seats)]
    play(pages, random.Random(game))
    ended = pages[0].state
    assert ended["winners"]
    assert [page.state["scores"] for page in pages] == [ended["scores"]] * seats
    match = smalti.verify(smalti.read(guest.http.get(f"/api/tables/{table}/record").content))
    assert match.is_over
    assert match.scores == ended["scores"]
