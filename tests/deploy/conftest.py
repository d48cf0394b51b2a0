"""The server behind each of the proxies."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.deploy.fronts import Caddy, Front, Nginx, Visitor
from tests.server.site import Server

FRONTS: dict[str, type[Front]] = {"nginx": Nginx, "caddy": Caddy}
BEHIND = {"SMALTI_PROXIES": "127.0.0.1", "SMALTI_SECURE_COOKIE": "1", "SMALTI_TEST_PAGES": "1"}

NewVisitor = Callable[..., Visitor]
InFront = Callable[..., Front]


@pytest.fixture(scope="module", params=sorted(FRONTS))
def in_front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[InFront]:
    """Start a server with settings, and the proxy in front of it."""
    started: list[Server] = []

    def start(**settings: str) -> Front:
        behind = Server(tmp_path_factory.mktemp("server"), **BEHIND, **settings)
        front = FRONTS[request.param](tmp_path_factory.mktemp(request.param), behind)
        behind.settings["SMALTI_ORIGINS"] = front.url
        for each in (behind, front):
            started.append(each)
            each.start()
        return front

    yield start
    for each in reversed(started):
        each.stop()


@pytest.fixture(scope="module")
def front(in_front: InFront) -> Front:
    """The proxy that tests share whose tables do not meet."""
    return in_front()


@pytest.fixture
def new_visitor() -> Iterator[NewVisitor]:
    """Open browsers that come through a proxy."""
    opened: list[Visitor] = []

    def open_one(front: Front, **more: str) -> Visitor:
        opened.append(Visitor(front, **more))
        return opened[-1]

    yield open_one
    for visitor in opened:
        visitor.close()
