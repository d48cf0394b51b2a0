"""Links that others see a preview of: words in their language, safely written, and a picture drawn by the boards."""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from smalti.server.archive.pictures import Pictures, given_of
from smalti.server.built_pages import BUILT
from smalti.server.doors.previews import HEIGHT, WIDTH, filled, language_of
from smalti.server.rooms.room import Room
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from tests.server.actions.test_importing import HOSTILE, changed, sent
from tests.server.logs import entry, facts, finished_table, new_table, play_log, rooms_on, seat_everybody
from tests.server.site import Server

GAMES = [("mosaix", 1), ("mosaix", 4), ("mozaika", 3), ("mozaika", 5), ("patterns", 2)]
NAMES = [f"{game}-{seats}" for game, seats in GAMES]


def with_a_step_back(log: Log) -> list[Entry]:
    """Play a game to its end in which a step was taken back."""
    entries = seat_everybody(log)
    entries += log.chance_entries(entries[-1].at)
    entries += play_log(log, random.Random(2), lambda log: len(log.match.events) == 9)
    entries.append(entry(log, "back", entries[-1].seat, {"to": 7}))
    return [*entries, *play_log(log, random.Random(3))]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The whole site with finished games and one that goes on."""
    site = Server(tmp_path_factory.mktemp("shared"), SMALTI_TEST_PAGES="1")

    async def fill() -> None:
        async with rooms_on(f"sqlite:///{site.file}") as rooms:
            for name, (game, seats) in zip(NAMES, GAMES, strict=True):
                await finished_table(rooms, facts(game, seats, id=name), random.Random(2))
            await rooms.make(facts("patterns", 2, id="stepped-back"), False, with_a_step_back)
            await new_table(rooms, facts("patterns", 2, id="running"))

    asyncio.run(fill())
    site.start()
    yield site
    site.stop()
    assert "Traceback" not in site.log, site.log


@pytest.fixture
def http(site: Server) -> Iterator[httpx.Client]:
    """A program that looks at links."""
    with httpx.Client(base_url=site.url, timeout=60) as client:
        yield client


class Head(HTMLParser):
    """The tags of a page as a browser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.tags: list[str] = []
        self.title = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        name = given.get("property") or given.get("name")
        if tag == "meta" and name:
            self.meta[name] = given.get("content") or ""

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "title" and not self.title:
            self.title = data


def head(http: httpx.Client, address: str, language: str = "") -> Head:
    answer = http.get(address, headers={"accept-language": language} if language else {})
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return Head(answer.text)


def last_of(http: httpx.Client, table: str) -> int:
    return len(http.get(f"/api/tables/{table}/replay").json()["events"])


# --- Words


def test_a_link_says_what_it_leads_to(http: httpx.Client) -> None:
    found = head(http, "/g/patterns-2/7")
    last = last_of(http, "patterns-2")
    assert found.title == "Patterns: Ann 0, Ann 1 · Smalti"
    assert found.meta["og:title"] == found.meta["twitter:title"] == "Patterns: Ann 0, Ann 1"
    assert found.meta["og:description"].startswith(f"A position, after event 7 of {last}.")
    assert found.meta["og:url"].endswith("/g/patterns-2/7")
    assert re.search(r"^http://127\.0\.0\.1:\d+/g/patterns-2/7\.png\?v=", found.meta["og:image"])
    assert found.meta["twitter:card"] == "summary_large_image"
    whole = head(http, "/game/patterns-2").meta
    scores = http.get("/api/tables/patterns-2/replay").json()["scores"]
    assert f"Ann 0 {scores[0]}, Ann 1 {scores[1]}" in whole["og:description"]
    assert whole == head(http, "/g/patterns-2").meta
    assert f"/{last}.png" in whole["og:image"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "Eine Stellung"),
        ("ja, fr;q=0.4, nl;q=0.8", "Een stelling"),
        ("fr;q=0, pl", "Pozycja"),
        ("hu", "Egy állás"),
        ("fr-CA", "Une position"),
        ("xx;q=abc, \x01, *", "A position"),
        ("," * 5000, "A position"),
    ],
)
def test_a_link_speaks_the_language_of_its_reader(asked: str, words: str, http: httpx.Client) -> None:
    assert head(http, "/g/patterns-2/7", asked.replace("\x01", "!")).meta["og:description"].startswith(words)


@pytest.mark.parametrize(
    "address",
    ["/g/running", "/g/running/1", "/g/nothing", "/game/%3Cb%3E", "/g/nothing/x", "/g/patterns-2/../1", "/"],
)
def test_nothing_is_said_of_games_that_are_not_over_or_not_there(address: str, http: httpx.Client) -> None:
    found = head(http, address)
    assert found.title == "Smalti"
    assert not any(name.startswith(("og:", "twitter:")) for name in found.meta)


@pytest.mark.parametrize("number", ["0", "-1", "99999", "100000000", "1x", "²"])
def test_a_position_that_is_not_there_is_the_whole_game(number: str, http: httpx.Client) -> None:
    assert head(http, f"/g/patterns-2/{number}").meta == head(http, "/g/patterns-2").meta


def test_what_somebody_typed_is_text_in_the_head_too(http: httpx.Client) -> None:
    class Visitor:
        """As much of a browser as `sent` needs."""

    visitor = Visitor()
    visitor.http = http  # type: ignore[attr-defined]
    name = '"><img src=x onerror=1>{n}'
    table = sent(visitor, changed(names=[name, HOSTILE[:30]])).json()["id"]  # type: ignore[arg-type]
    found, plain = head(http, f"/g/{table}"), head(http, "/")
    assert found.meta["og:title"] == f"Patterns: {name}, {HOSTILE[:30]}"
    assert found.title == f"Patterns: {name}, {HOSTILE[:30]} · Smalti"
    assert [tag for tag in found.tags if tag != "meta"] == [tag for tag in plain.tags if tag != "meta"]


def test_values_are_filled_in_once() -> None:
    assert filled("{a} of {b}{c}", a="{b}", b="{a}") == "{b} of {a}"


def test_a_language_that_nobody_has_is_english_if_there_is_english() -> None:
    assert language_of("ja", {"de": 1, "en": 1}) == "en"
    assert language_of("", {}) is None


def test_what_was_taken_back_is_no_event_of_a_shared_game(http: httpx.Client) -> None:
    replay = http.get("/api/tables/stepped-back/replay").json()
    last = len(replay["events"])
    assert len(replay["story"]) > last
    assert f"/{last}.png" in head(http, "/g/stepped-back").meta["og:image"]
    assert f"of {last}." in head(http, "/g/stepped-back/8", "en").meta["og:description"]
    assert http.get(f"/g/stepped-back/{last + 1}.png").status_code == 404
    for address in ("/g/stepped-back.png", f"/g/stepped-back/{last}.png"):
        assert http.get(address).headers["content-type"] == "image/png"


def test_a_picture_marks_only_what_stands() -> None:
    log = Log(facts("patterns", 2))
    with_a_step_back(log)
    for number in (7, 8, len(log.match.events)):
        recent = json.loads(given_of(log, number)[1])["recent"]
        played = [(event.by, event.do) for event in log.match.events[:number]]
        assert [(event["by"], event["do"]) for event in recent] == played[-len(recent) :]


# --- Pictures


def picture(http: httpx.Client, address: str) -> np.ndarray:
    answer = http.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    image = Image.open(io.BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("table", NAMES)
def test_pictures_are_drawn_by_the_boards_and_differ_from_place_to_place(table: str, http: httpx.Client) -> None:
    last = last_of(http, table)
    drawn = [picture(http, f"/g/{table}/{number}.png") for number in (1, last // 2, last)]
    for pixels in drawn:
        assert len(np.unique(pixels.astype(int) @ [1 << 16, 1 << 8, 1])) > 300
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert (drawn[one] != drawn[other]).any(axis=2).mean() > 0.01


@pytest.mark.parametrize(
    ("table", "colours"),
    [
        ("mosaix-4", ["#1f9a9a", "#e0702a", "#8d4396"]),
        ("mozaika-3", ["#c03a41", "#2f5fbd", "#dda22f"]),
        ("patterns-2", ["#e0702a", "#2f9560", "#5fb4dc", "#dcc391"]),
    ],
)
def test_the_colours_of_the_glass_come_out_right(table: str, colours: list[str], http: httpx.Client) -> None:
    """A stone is lighter here and darker there; but a part of every picture is close to the colour of each glass."""
    pixels = picture(http, f"/g/{table}/{last_of(http, table)}.png").astype(int)
    for colour in colours:
        wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
        near = (np.abs(pixels - wanted).max(axis=2) < 26).mean()
        assert near > 0.002, (table, colour, near)


def test_the_numbers_of_markers_are_drawn_without_fonts(http: httpx.Client) -> None:
    """The river of an unopened side of Patterns has six circles with a figure in each, all of them different."""
    pixels = picture(http, "/g/patterns-2/1.png").astype(int)
    row = pixels[352:405, 22:272]
    cells = [row[:, round(n * 250 / 6) : round((n + 1) * 250 / 6)][:40, :40] for n in range(6)]
    white = [(cell.min(axis=2) > 200) for cell in cells]
    assert all(6 < found.sum() < 250 for found in white)
    assert len({found.tobytes() for found in white}) == 6


def test_a_picture_with_its_version_is_kept_for_ever(http: httpx.Client) -> None:
    address = head(http, "/g/patterns-2/7").meta["og:image"]
    assert "immutable" in http.get(address).headers["cache-control"]
    assert "immutable" not in http.get("/g/patterns-2/7.png").headers["cache-control"]
    assert "immutable" not in http.get("/g/patterns-2/7.png?v=1").headers["cache-control"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/g/patterns-2/0.png", 404),
        ("/g/patterns-2/-1.png", 404),
        ("/g/patterns-2/100000.png", 404),
        ("/g/patterns-2/x.png", 400),
        ("/g/nothing/1.png", 404),
        ("/g/running/1.png", 409),
    ],
)
def test_there_is_no_picture_of_what_is_not_there_or_not_over(address: str, status: int, http: httpx.Client) -> None:
    answer = http.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")


def test_links_can_be_asked_for_without_their_content(http: httpx.Client) -> None:
    for address in ("/g/patterns-2", "/g/patterns-2/7", "/g/patterns-2/7.png"):
        assert http.head(address).status_code == 200


# --- What goes wrong with pictures


async def one_room(folder: Path, act: object) -> None:
    async with rooms_on(f"sqlite:///{folder / 'x.sqlite'}") as rooms:
        room = await finished_table(rooms, facts("patterns", 2), random.Random(1))
        await act(room)  # type: ignore[operator]


def test_without_boards_there_is_no_picture_and_one_complaint(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    async def act(room: Room) -> None:
        pictures = Pictures(tmp_path / "missing.js")
        for _ in range(2):
            assert await pictures.of(room.log, 3) is None
            pictures.rests_until = 0.0
        assert pictures.process is None

    asyncio.run(one_room(tmp_path, act))
    assert [record.message for record in caplog.records if "pictures" in record.message] != []
    assert len([record for record in caplog.records if "pictures" in record.message]) == 1
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "script",
    [
        "function draw() { for (;;); }",
        "function draw() { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }",
        "function draw() { throw new Error('no'); }",
        "function draw() { return 'this is no picture'; }",
        'function draw() { return \'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>\'; }',
    ],
)
def test_boards_that_go_wrong_are_ended_and_the_next_picture_is_drawn(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = tmp_path / "draw.js"
    boards.write_text(script)
    monkeypatch.setattr("smalti.server.archive.pictures.SECONDS", 8.0)

    async def act(room: Room) -> None:
        pictures = Pictures(boards)
        assert await pictures.of(room.log, 3) is None
        shutil.copy(BUILT / "drawing" / "draw.js", boards)
        pictures.rests_until = 0.0
        found = await pictures.of(room.log, 3)
        assert found
        assert found.startswith(b"\x89PNG")
        await pictures.stop()

    asyncio.run(one_room(tmp_path, act))


def test_a_picture_that_many_ask_for_is_drawn_once_and_kept(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        pictures = Pictures()
        found = await asyncio.gather(*(pictures.of(room.log, 5) for _ in range(40)))
        assert len({id(one) for one in found}) == 1
        process = pictures.process
        assert process
        process.kill()
        await process.wait()
        assert await pictures.of(room.log, 5) is found[0]
        assert await pictures.of(room.log, 6)  # by a process that was started anew
        await pictures.stop()

    asyncio.run(one_room(tmp_path, act))


def test_too_many_pictures_at_once_are_not_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.archive.pictures.MOST_WAITING", 2)

    async def act(room: Room) -> None:
        pictures = Pictures()
        found = await asyncio.gather(*(pictures.of(room.log, number) for number in range(1, 6)))
        assert [one is None for one in found] == [False, False, True, True, True]
        await pictures.stop()

    asyncio.run(one_room(tmp_path, act))


def test_what_was_not_asked_for_the_longest_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(room: Room) -> None:
        pictures = Pictures()
        for number in (1, 2):
            assert await pictures.of(room.log, number)
        monkeypatch.setattr("smalti.server.archive.pictures.MOST_KEPT", pictures.size)
        await pictures.of(room.log, 1)
        await pictures.of(room.log, 3)
        assert (room.log.facts.id, 2) not in pictures.kept
        assert pictures.size == sum(map(len, pictures.kept.values()))
        await pictures.stop()

    asyncio.run(one_room(tmp_path, act))
