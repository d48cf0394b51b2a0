"""The log: a line for each event, as text or JSON, with the time, the table and the request it belongs to.

Everything goes through the handlers of the standard library, so `logging.getLogger(__name__)` is all a module needs.
What is bound by `about` is written with every event that happens within.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import AbstractContextManager
from typing import Any, TextIO

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import Processor

from smalti.server.telemetry.redaction import redact

HANDLER = "smalti"
FIRST = ("time", "level", "logger", "event")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
CHAIN: list[Processor] = [
    merge_contextvars,
    add_log_level,
    add_logger_name,
    TimeStamper("iso", utc=True, key="time"),
]


class Standard(logging.StreamHandler[TextIO]):
    """Writes to whatever standard error is at the moment."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)
        self.set_name(HANDLER)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """Standard error."""
        return sys.stderr


class BrokenText(logging.Filter):
    """A page that sends broken text is worth a line in the log, not a traceback: anybody can do that, at any rate."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line pass alone."""
        if record.msg == "Invalid UTF-8 sequence received from client.":
            record.exc_info = None
        return True


broken_text = BrokenText()


def configure(level: str, as_json: bool) -> None:
    """Let everything that is logged be written our way; a second call changes the first one's settings."""
    renderer = JSONRenderer(ensure_ascii=False) if as_json else as_text
    last: list[Processor] = [ProcessorFormatter.remove_processors_meta, format_exc_info, in_order, redact, renderer]
    handler = Standard()
    handler.setFormatter(ProcessorFormatter(processors=last, foreign_pre_chain=CHAIN))
    root = logging.getLogger()
    root.handlers = [*(other for other in root.handlers if other.get_name() != HANDLER), handler]
    structlog.configure(
        processors=[*CHAIN, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    set_levels(level.upper())


def set_levels(level: str) -> None:
    """Let our own modules say as much as asked; others no more than warnings: in detail they tell secrets."""
    quiet = "ERROR" if level == "ERROR" else "WARNING"
    logging.getLogger().setLevel(quiet)
    logging.getLogger("smalti").setLevel(level)
    logging.getLogger("uvicorn").setLevel("INFO" if level == "DEBUG" else quiet)
    logging.getLogger("uvicorn.access").setLevel(quiet)  # requests are told by `middleware`, without addresses
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        found = logging.getLogger(name)
        found.handlers, found.propagate = [], True
    logging.getLogger("uvicorn.error").addFilter(broken_text)


def about(**fields: str) -> AbstractContextManager[None]:
    """Write these fields with every event that happens within."""
    return bound_contextvars(**fields)


def in_order(logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Put what every event has first, and what is long last."""
    long = {name: event.pop(name) for name in ("exception", "stack") if name in event}
    first = {name: event.pop(name) for name in FIRST if name in event}
    return first | dict(sorted(event.items())) | long


def as_text(logger: object, method: str, event: MutableMapping[str, Any]) -> str:
    """Return an event as a line, and its traceback on lines of its own; nobody can break a line by what they send."""
    long = "".join(f"\n{event.pop(name)}" for name in ("exception", "stack") if event.get(name))
    time, level, name, told = (str(event.pop(name, "")) for name in FIRST)
    fields = "".join(f" {field}={value}" for field, value in event.items())
    return plain(f"{time} {level:<7} {name}: {told}{fields}") + long


def plain(text: str) -> str:
    """Return a text on one line that cannot steer a terminal."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
