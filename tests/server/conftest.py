"""Servers, browsers and databases for the tests; what they can do stands in `table` and `programs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.programs import Postgres, running_postgres, running_redis
from tests.server.site import Browser, Server

Serving = Callable[..., Server]
NewBrowser = Callable[..., Browser]


@pytest.fixture
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Start servers with the settings asked for, each with a database of its own."""
    started: list[Server] = []

    def start(wait: bool = True, **settings: str) -> Server:
        started.append(Server(tmp_path_factory.mktemp("server"), **settings))
        started[-1].launch()
        if wait:
            started[-1].wait()
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that tests share whose tables do not meet."""
    with Server(tmp_path_factory.mktemp("server")).running() as running:
        yield running


@pytest.fixture
def new_browser(request: pytest.FixtureRequest) -> Iterator[NewBrowser]:
    """Open browsers: `new_browser()` at the shared server, or at another one, with a cookie or none."""
    opened: list[Browser] = []

    def open_one(at: Server | None = None, cookie: str | None = None) -> Browser:
        opened.append(Browser(at or request.getfixturevalue("server"), cookie))
        return opened[-1]

    yield open_one
    for browser in opened:
        browser.close()


@pytest.fixture
def host(new_browser: NewBrowser) -> Browser:
    """The browser that makes the tables."""
    return new_browser()


@pytest.fixture
def guest(new_browser: NewBrowser) -> Browser:
    """Another browser."""
    return new_browser()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """PostgreSQL."""
    with running_postgres() as running:
        yield running


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The address of Redis."""
    with running_redis() as running:
        yield running
