"""Starting: what cannot be used is told in one sentence with an exit code, and a signal breaks the waiting off."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa

from smalti.engine.errors import BadInput
from smalti.server.settings import database_url, redis_url
from smalti.server.store import database
from smalti.server.store.database import UPGRADE_LOCK
from smalti.server.store.files import NotStored, exclusive
from smalti.server.store.store import Store
from tests.server.programs import Postgres
from tests.server.site import ROOT, until

NOWHERE = "127.0.0.1:1"


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a server with files in a folder."""
    return {**os.environ, "SMALTI_DATA_DIR": str(folder), **settings}


def serving_words() -> list[str]:
    """Return the command that serves."""
    return [sys.executable, "-m", "smalti", "serve", "--port", "0"]


def failed_start(folder: Path, **settings: str) -> tuple[int, str]:
    """Start a server that cannot start; return its exit code and the one line in which it complains."""
    done = subprocess.run(
        serving_words(), cwd=ROOT, env=environment(folder, **settings), capture_output=True, text=True, timeout=60
    )
    said = [line for line in done.stderr.splitlines() if " waiting for " not in line]
    assert len(said) == 1, done.stderr
    assert "Traceback" not in said[0]
    return done.returncode, said[0]


async def make_newer(file: Path) -> None:
    """Make a database that a newer version has left."""
    store = Store(database_url(f"sqlite:///{file}"))
    await store.start()
    await store.stop()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def test_a_database_of_a_newer_version_is_told_in_one_sentence(tmp_path: Path) -> None:
    asyncio.run(make_newer(tmp_path / "smalti.sqlite"))
    code, said = failed_start(tmp_path)
    assert code == 3
    assert "newer version of Smalti" in said


def test_a_folder_that_cannot_be_made_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, said = failed_start(tmp_path / "file" / "folder")
    assert code == 3
    assert "cannot be opened" in said
    assert "another process" not in said


def test_redis_and_databases_that_are_not_there_are_told_in_one_sentence(tmp_path: Path) -> None:
    code, said = failed_start(tmp_path, SMALTI_REDIS=f"redis://{NOWHERE}", SMALTI_WAIT_SECONDS="0")
    assert (code, "Redis does not answer" in said) == (3, True)
    code, said = failed_start(tmp_path, SMALTI_DATABASE=f"postgresql://x@{NOWHERE}/x", SMALTI_WAIT_SECONDS="0")
    assert (code, "cannot be opened" in said) == (3, True)


def test_a_bad_setting_is_told_in_one_sentence(tmp_path: Path) -> None:
    code, said = failed_start(tmp_path, SMALTI_REDIS="http://foo")
    assert (code, "redis://HOST:PORT" in said) == (2, True)


@pytest.mark.parametrize("given", ["http://foo", "localhost:6379", "redis://", "redis://host:port", "redis:///"])
def test_an_address_of_redis_is_checked(given: str) -> None:
    with pytest.raises(BadInput, match="SMALTI_REDIS is given as redis://HOST:PORT"):
        redis_url(given)


def test_good_addresses_are_taken_and_passwords_never_told() -> None:
    for good in ("redis://cache", "redis://:secret@cache:6379/1", "rediss://cache:6379", "unix:///run/redis.sock"):
        assert redis_url(good) == good
    for check, bad in ((redis_url, "http://:hunter2@cache"), (database_url, "postgresql://x:hunter2@db:port/x")):
        with pytest.raises(BadInput) as refused:
            check(bad)
        assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("kind", ["database", "bus"])
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_signal_ends_the_waiting_at_once(kind: str, sent: signal.Signals, code: int, tmp_path: Path) -> None:
    away = {"SMALTI_DATABASE": f"postgresql://x@{NOWHERE}/x"} if kind == "database" else {}
    settings = {"SMALTI_WAIT_SECONDS": "60", **(away or {"SMALTI_REDIS": f"redis://{NOWHERE}"})}
    log = tmp_path / "log"
    with (
        log.open("wb") as out,
        subprocess.Popen(
            serving_words(), cwd=ROOT, env=environment(tmp_path, **settings), stdout=out, stderr=out
        ) as serve,
    ):
        until(lambda: "waiting for" in log.read_text() or serve.poll() is not None)
        sent_at = time.monotonic()
        serve.send_signal(sent)
        assert serve.wait(30) == code, log.read_text()
    assert time.monotonic() - sent_at < 5
    assert "Traceback" not in log.read_text()


# --- The lock of a file


def test_a_link_does_not_lead_round_the_lock(tmp_path: Path) -> None:
    file, link = tmp_path / "smalti.sqlite", tmp_path / "elsewhere" / "linked.sqlite"
    link.parent.mkdir()
    link.symlink_to(file)
    with exclusive(str(file)), pytest.raises(NotStored, match="in use by another process"), exclusive(str(link)):
        pass


def test_only_a_lock_means_that_somebody_else_has_the_file(tmp_path: Path) -> None:
    (tmp_path / "smalti.sqlite.lock").mkdir()
    with pytest.raises(NotStored) as refused, exclusive(str(tmp_path / "smalti.sqlite")):
        pass
    assert "another process" not in str(refused.value)
    (tmp_path / "full.sqlite.lock").write_text("x" * 5000)
    with pytest.raises(NotStored) as refused, exclusive(str(tmp_path / "full.sqlite")):
        pass
    assert "another process" not in str(refused.value)


# --- Upgrades


def test_an_upgrade_may_take_longer_than_the_database_may_be_silent(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(connection: sa.Connection) -> None:
        connection.execute(sa.text("SELECT pg_sleep(1.5)"))

    async def run() -> None:
        store = Store(database_url(url), patience=0.5)
        await store.start()
        await store.stop()

    url = postgres.new_database()
    monkeypatch.setattr(database, "upgrade", slow)
    asyncio.run(run())


async def start_while_another_upgrades(url: str, seconds: float, wait: float) -> None:
    """Start on a database that another process upgrades for a while."""
    other = await asyncpg.connect(url)
    await other.execute(f"SELECT pg_advisory_lock({UPGRADE_LOCK})")
    ends = asyncio.create_task(asyncio.sleep(seconds))
    ends.add_done_callback(lambda _: other.terminate())
    store = Store(database_url(url), patience=0.3, wait=wait)
    try:
        await store.start()
        assert ends.done()
        await store.stop()
    finally:
        other.terminate()


def test_a_process_waits_for_another_one_that_upgrades(postgres: Postgres) -> None:
    asyncio.run(start_while_another_upgrades(postgres.new_database(), seconds=2, wait=30))


def test_it_does_not_wait_for_ever(postgres: Postgres) -> None:
    with pytest.raises(NotStored, match="another process has been upgrading"):
        asyncio.run(start_while_another_upgrades(postgres.new_database(), seconds=30, wait=1))
