"""A decision of several moves: one message, one write, told once, all of it or nothing, one step to take back."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.server.site import Browser, Message, Page, Server

ANN, BOB = "Ann", "Bob"


@pytest.fixture
def mosaix(host: Browser) -> tuple[str, list[Page]]:
    """A table of Mosaix for two at one screen, with a page for each seat."""
    table = host.make("mosaix", ANN, BOB)
    return table, [host.open(table, seat) for seat in (0, 1)]


def roller_of(pages: list[Page]) -> Page:
    """Return the page of the seat that arranges the dice."""
    return next(page for page in pages if page.state["legal"])


def click(page: Page) -> list[str]:
    """Return the two moves that a click of the roller is: arrange the dice, and write them at the first place."""
    formed = next(move for move in page.state["legal"] if move.startswith("form"))
    for place in (f"place 0 {x},{y}" for x in range(1, 8) for y in range(1, 8)):
        page.send(t="why", id=place, seat=page.state["seat"], do=[formed, place])
        if page.next("because")["legal"]:
            return [formed, place]
    raise AssertionError("there is a place for it somewhere")


def decide(page: Page, moves: list[str], id: str = "click") -> list[Message]:
    """Send a decision, and return what came back."""
    page.send(t="do", id=id, n=page.state["n"], seat=page.state["seat"], do=moves)
    return page.settle()


def rows(server: Server, table: str) -> int:
    """Count what is stored of a table."""
    with closing(sqlite3.connect(server.file)) as database:
        return int(database.execute("SELECT count(*) FROM events WHERE match = ?", (table,)).fetchone()[0])


def test_a_click_of_two_moves_is_told_in_one_state(mosaix: tuple[str, list[Page]]) -> None:
    roller = roller_of(mosaix[1])
    moves, before = click(roller), roller.state["n"]
    states = [message for message in decide(roller, moves) if message["t"] == "state"]
    assert len(states) == 1
    assert [(event["do"], event["id"]) for event in states[0]["events"]] == [(move, "click") for move in moves]
    assert roller.state["n"] == before + 2


def test_the_others_never_see_half_of_it(mosaix: tuple[str, list[Page]]) -> None:
    roller = roller_of(mosaix[1])
    other = next(page for page in mosaix[1] if page is not roller)
    moves = click(roller)
    decide(roller, moves)
    states = [message for message in other.settle() if message["t"] == "state"]
    assert [[event["do"] for event in state["events"]] for state in states] == [moves]


def test_nothing_happens_if_the_last_move_is_refused(mosaix: tuple[str, list[Page]], server: Server) -> None:
    table, pages = mosaix
    roller = roller_of(pages)
    before, stored, formed = roller.state, rows(server, table), click(roller)[0]
    (refusal,) = [message for message in decide(roller, [formed, "pass"]) if message["t"] == "refused"]
    assert (refusal["rule"], refusal["reason"]) == ("MX-6", "mosaix.can-write")
    assert rows(server, table) == stored
    assert roller.look(roller.state["seat"]) == before


def test_sent_twice_it_happens_once(mosaix: tuple[str, list[Page]], server: Server) -> None:
    table, pages = mosaix
    roller = roller_of(pages)
    message = {"t": "do", "id": "click", "n": roller.state["n"], "seat": roller.state["seat"], "do": click(roller)}
    stored = rows(server, table)
    for _ in range(2):
        roller.send(**message)
    assert not [answer for answer in roller.settle() if answer["t"] == "refused"]
    assert rows(server, table) == stored + 2


def test_it_is_one_step_to_take_back(mosaix: tuple[str, list[Page]]) -> None:
    roller = roller_of(mosaix[1])
    before = roller.state["view"]
    decide(roller, click(roller))
    assert roller.state["view"] != before
    roller.send(t="want", id="back", seat=roller.state["seat"], what="back", n=roller.state["n"])
    roller.settle()
    assert roller.state["view"] == before


@pytest.mark.parametrize("moves", [[], ["pass"] * 5])
def test_a_decision_has_a_few_moves(mosaix: tuple[str, list[Page]], moves: list[str]) -> None:
    roller = roller_of(mosaix[1])
    (refusal,) = [message for message in decide(roller, moves) if message["t"] == "refused"]
    assert refusal["reason"] == "table.format"
