"""What uvicorn is given: the same for `smalti serve`, the tests and the benchmark."""

from __future__ import annotations

import uvicorn
from fastapi import FastAPI

from smalti.server.doors.line.addresses import Proxies
from smalti.server.doors.line.gate import Gate
from smalti.server.doors.line.http_protocol import HttpProtocol
from smalti.server.doors.line.websocket_protocol import WebSocketProtocol
from smalti.server.settings import Settings

LARGEST_MESSAGE = 16 * 1024
IDLE_SECONDS = 20  # that a connection may stay open between two requests
PING_SECONDS = 20.0  # between two pings to a page, and until one without an answer ends its connection
STOP_SECONDS = 3
LEAST_FRAMES = 200  # a second that a connection may send, of whatever kind; twice as many at once
FRAMES_A_MESSAGE = 5  # as many more where a browser may send many messages
SPARE_FILES = 200  # for the database, the bus, thinking processes and files that are sent


class LineConfig(uvicorn.Config):
    """The configuration of a server, and whom it has let in."""

    def __init__(self, app: FastAPI, settings: Settings, host: str, port: int) -> None:
        proxies = Proxies(settings.proxies)
        self.gate = Gate(most_connections(settings.connections), settings.connections_an_address, proxies)
        self.request_seconds = settings.request_seconds
        self.frames_a_second = max(LEAST_FRAMES, FRAMES_A_MESSAGE * settings.messages_a_second)
        super().__init__(
            app,
            host=host,
            port=port,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            ws_per_message_deflate=False,  # costs ten times what it saves
            ws_max_size=LARGEST_MESSAGE,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=proxies.names,
            server_header=False,
            log_config=None,  # it is ours
            access_log=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
        )


def most_connections(wanted: int) -> int:
    """Return how many connections may be open: as many as wanted, if the system lets us have so many files."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    aim = wanted + SPARE_FILES
    if soft != endless and soft < aim:
        soft = aim if hard == endless else min(aim, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == endless else max(1, min(wanted, soft - SPARE_FILES))
