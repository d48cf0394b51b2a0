"""SIGKILL in the middle of a game: whatever was told is there, numbers have no gap, and the game goes on."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing

from tests.server.conftest import NewBrowser, Serving
from tests.server.site import Browser, Message, Page, Server, play

PEOPLE = ("Ann", "Bob", "Cem")


def known(pages: list[Page]) -> dict[int, tuple[int | None, str]]:
    """Return all events that any page has been told, by number."""
    events: dict[int, tuple[int | None, str]] = {}
    for page in pages:
        for event in page.state["events"]:
            if event["do"] is not None:
                events[event["n"]] = (event["by"], event["do"])
    return events


def reopened(browser: Browser, table: str, seats: int) -> list[Page]:
    """Open the pages of all seats again."""
    return [browser.open(table, seat) for seat in range(seats)]


def assert_whole(server: Server, table: str, pages: list[Page], before: dict[int, tuple[int | None, str]]) -> None:
    """Check that nothing that was told is lost, and that numbers have no gap, on the wire and in the store."""
    events: list[Message] = pages[0].state["events"]
    numbers = [event["n"] for event in events]
    assert numbers == list(range(numbers[0], pages[0].state["n"] + 1))
    assert before.items() <= {event["n"]: (event["by"], event["do"]) for event in events}.items()
    with closing(sqlite3.connect(server.file)) as store:
        rows = store.execute("SELECT n FROM events WHERE match = ? ORDER BY n", [table]).fetchall()
    assert [n for (n,) in rows] == list(range(1, len(rows) + 1))


def test_a_killed_server_forgets_nothing_it_has_told(serving: Serving, new_browser: NewBrowser) -> None:
    server, luck = serving(), random.Random(4)
    browser = new_browser(server)
    table = browser.make("mosaix", *PEOPLE)
    pages = reopened(browser, table, 3)

    # 1. Between two moves
    for page in pages:
        page.look(page.state["seat"])
    play(pages, luck, 12)
    told = known([page for page in pages if page.look(page.state["seat"])])
    server.kill()
    server.start()
    pages = reopened(browser, table, 3)
    assert_whole(server, table, pages, told)
    assert len(pages[0].state["events"]) == len(told)

    # 2. In the middle of a burst: all act at once, and again, and nobody waits for an answer
    play(pages, luck, stop=lambda state: len(state["acting"]) == 3)
    burst = []
    for page in pages:
        asked = {"t": "do", "id": f"burst {page.state['seat']}", "n": page.state["n"], "seat": page.state["seat"]}
        burst.append({**asked, "do": page.state["legal"][0]})
        page.connection.send(json.dumps(burst[-1]))
    pages[0].receive()
    server.kill()
    told = known(pages)
    server.start()
    pages = reopened(browser, table, 3)
    assert_whole(server, table, pages, told)

    # 3. What may be lost is sent again, and has happened once
    for page, message in zip(pages, burst, strict=True):
        page.connection.send(json.dumps(message))
        page.settle()
    events = pages[0].look(0)["events"]
    for message in burst:
        mine = [event for event in pages[message["seat"]].look(message["seat"])["events"] if event["id"]]
        assert [event["do"] for event in mine if event["id"] == message["id"]] == [message["do"]]
    assert sum(event["by"] is not None for event in events) >= 3
    assert_whole(server, table, pages, told)

    # 4. And the game goes on
    number = pages[0].state["n"]
    play(pages, luck, 10)
    assert pages[0].state["n"] >= number + 10
