"""The database is away: moves are refused after seconds, reads are answered in words, nothing that was told is lost.

PostgreSQL stands still or dies; the disk under a SQLite file is full, or another program has locked the file.
"""

from __future__ import annotations

import random
import resource
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.chaos.books import Book, check_file, compared
from tests.chaos.budget import Budget, Figures
from tests.chaos.clients import let
from tests.chaos.forked import Forked
from tests.chaos.outside import freeze_postgres, kill_postgres, postgres, revive_postgres, thaw_postgres
from tests.server.site import PATIENCE, Browser, Message, Page, has_id, newest, play

PEOPLE = ("Ann", "Bob")
SECONDS = "2"  # after which a database that does not answer is given up
REFUSALS = ("table.stored", "table.away")
READS = ("/api/tables/{other}", "/api/tables/over", "/api/tables/mine")  # that have to ask the database
DISK = "8m"

Trouble = Callable[[], object]


class Faulty:
    """Two tables on a server whose database will be away; one of them is not in memory."""

    def __init__(self, server: Forked) -> None:
        self.server, self.browser, self.book = server, Browser(server), Book()
        self.luck, self.slowest = random.Random(1), 0.0
        self.table, self.other = (self.browser.make("patterns", *PEOPLE) for _ in range(2))
        server.stop()
        server.start()  # so that nothing is in memory but what is opened now
        self.open()
        self.move()

    def open(self) -> None:
        """Open the pages."""
        self.pages = [self.browser.open(self.table, seat) for seat in range(2)]

    def move(self) -> None:
        """Let people move, and note what they were told; a game that is over is followed by the next."""
        play(self.pages, self.luck, 4)
        for page in self.pages:
            self.book.note(self.table, page.look(page.state["seat"]))
        if not newest(self.pages)["acting"]:
            self.table = self.browser.make("patterns", *PEOPLE)
            self.open()

    def next_move(self) -> tuple[Page, Message]:
        """Return a move and the page that makes it."""
        page = next(page for page in self.pages if page.state["seat"] in newest(self.pages)["acting"])
        do = self.luck.choice(page.state["legal"])
        return page, {"t": "do", "id": page.new_id(), "n": page.state["n"], "seat": page.state["seat"], "do": do}

    def refused(self, page: Page, move: Message) -> None:
        """Try a move, which must be refused in words."""
        begun = time.monotonic()
        page.send(**move)
        told = page.next("refused")
        self.slowest = max(self.slowest, time.monotonic() - begun)
        assert (told["id"], told["reason"] in REFUSALS) == (move["id"], True), told

    def unanswered(self) -> int:
        """Count the reads that are answered by 503 with a problem; no other answer is good but 200 from memory."""
        found = 0
        for address in READS:
            answer = self.browser.http.get(address.format(other=self.other))
            assert answer.status_code in (200, 503), (address, answer.status_code, answer.text)
            if answer.status_code == 503:
                assert answer.json()["reason"] in REFUSALS, answer.text
                found += 1
        return found

    def accepted(self, page: Page, move: Message) -> None:
        """Send the same move until it is stored, and go on."""
        end = time.monotonic() + PATIENCE
        page.send(**move)
        while not has_id(page.state, move["id"]):
            told = page.receive()
            if told["t"] == "refused" and told["id"] == move["id"]:
                assert time.monotonic() < end, told
                time.sleep(0.05)
                page.send(**move)
        self.book.note(self.table, page.state)
        self.move()

    def suffer(self, trouble: Trouble, remedy: Trouble) -> int:
        """Take the database away, try to move and to read, bring it back, and go on; returns the refused reads."""
        page, move = self.next_move()
        trouble()
        try:
            self.refused(page, move)
            reads = self.unanswered()
        finally:
            remedy()
        self.accepted(page, move)
        return reads


def with_postgres(budget: Budget) -> Figures:
    """Let PostgreSQL stand still and die."""
    at, url = postgres(), postgres().new_database()
    ways: list[tuple[Trouble, Trouble]] = [
        (lambda: freeze_postgres(at), lambda: thaw_postgres(at)),
        (lambda: kill_postgres(at), lambda: revive_postgres(at)),
    ]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"SMALTI_DATABASE": url, "SMALTI_DATABASE_SECONDS": SECONDS}
        with Forked(Path(folder), **settings).running() as server:
            faulty = Faulty(server)
            reads = [faulty.suffer(*ways[number % 2]) for number in budget.rounds(2)]
            faulty.browser.close()
    kept = let(compared(faulty.book, url))
    assert all(reads), "what cannot be read is 503"
    return {"times away": len(reads), "reads refused": sum(reads), "slowest refusal, s": faulty.slowest, **kept}


# --- SQLite


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """Mount a small disk, where that is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", folder]
        try:
            is_mounted = not subprocess.run(words, capture_output=True).returncode
        except FileNotFoundError:
            is_mounted = False
        try:
            yield Path(folder) if is_mounted else None
        finally:
            if is_mounted:
                subprocess.run(["umount", "-l", folder], check=True)


def fill(disk: Path) -> None:
    """Fill a disk to the last byte."""
    with suppress(OSError), (disk / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))


def limit(server: Forked, most: int) -> None:
    """Let a server write no file beyond so many bytes, which it takes for a full disk."""
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def with_full_disk(budget: Budget) -> Figures:
    """Fill the disk under the file, or limit what may be written where no disk can be mounted."""
    with small_disk() as disk, tempfile.TemporaryDirectory() as folder:
        with Forked(disk or Path(folder), SMALTI_DATABASE_SECONDS=SECONDS).running() as server:
            faulty = Faulty(server)
            trouble: Trouble = (lambda: fill(disk)) if disk else (lambda: limit(server, 1))
            free: Trouble = (disk / "ballast").unlink if disk else (lambda: limit(server, resource.RLIM_INFINITY))
            rounds = [faulty.suffer(trouble, free) for _ in budget.rounds(1)]
            faulty.browser.close()
        check_file(server.file)
        kept = let(compared(faulty.book, f"sqlite:///{server.file}"))
    return {"times full": len(rounds), "on a small disk": float(disk is not None), **kept}


def with_locked_file(budget: Budget) -> Figures:
    """Let another program lock the file."""
    with tempfile.TemporaryDirectory() as folder:
        with Forked(Path(folder), SMALTI_DATABASE_SECONDS=SECONDS).running() as server:
            faulty = Faulty(server)
            with closing(sqlite3.connect(server.file, isolation_level=None)) as thief:
                lock, free = (lambda: thief.execute("BEGIN IMMEDIATE")), (lambda: thief.execute("ROLLBACK"))
                rounds = [faulty.suffer(lock, free) for _ in budget.rounds(1)]
            faulty.browser.close()
        check_file(server.file)
        kept = let(compared(faulty.book, f"sqlite:///{server.file}"))
    return {"times locked": len(rounds), "slowest refusal, s": faulty.slowest, **kept}


def run(budget: Budget) -> Figures:
    """Take all kinds of databases away."""
    parts = {"PostgreSQL": with_postgres, "full disk": with_full_disk, "locked file": with_locked_file}
    found = {part: measure(budget.share(1 / len(parts))) for part, measure in parts.items()}
    return {f"{part}: {name}": value for part, figures in found.items() for name, value in figures.items()}
