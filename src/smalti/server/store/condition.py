"""How the database is: whether the last write worked, and whether it is damaged; for whoever watches the site.

While nothing can be written nobody can act, so that the time of the games stands still (`game_time`).
"""

from __future__ import annotations

import logging
import sqlite3
import time

from sqlalchemy.exc import DBAPIError

from smalti.server.game_time import STANDSTILL, game_time

logger = logging.getLogger(__name__)
DAMAGED_FILE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGED_DATA = ("XX001", "XX002")  # what PostgreSQL says of data and of an index
TRY_AGAIN = 3.0  # seconds after a write that failed, before another one is tried for whoever asks
QUIET = 30.0  # seconds without any write, after which one is tried for whoever asks


def cause_of(error: Exception) -> BaseException:
    """Return what the database itself complains about."""
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def one_line(error: Exception) -> str:
    """Say in one line what a database complains about."""
    if isinstance(error, TimeoutError):
        return "it does not answer"
    cause = cause_of(error)
    return str(cause).splitlines()[0] if str(cause) else type(cause).__name__


def is_damage(error: Exception) -> bool:
    """Say whether a database complains that its data is damaged, which no waiting mends."""
    cause = cause_of(error)
    code = getattr(cause, "sqlite_errorcode", None) or 0
    return code & 0xFF in DAMAGED_FILE or getattr(cause, "sqlstate", None) in DAMAGED_DATA


class Condition:
    """What is known of the database from those who use it."""

    def __init__(self) -> None:
        self.trouble = ""  # with the last write
        self.is_damaged = False  # until the next start: nobody mends it while we run
        self.known = time.monotonic()  # when a write worked or failed last, or was tried
        self.good = self.known  # when one worked last

    @property
    def summary(self) -> str:
        """What is wrong, for everybody to read; nothing if all is well."""
        return "it is damaged: a backup has to be restored" if self.is_damaged else self.trouble

    @property
    def is_due(self) -> bool:
        """Whether it is time to try a write, because nobody else has for a while."""
        return time.monotonic() - self.known > (TRY_AGAIN if self.trouble else QUIET)

    def trying(self) -> None:
        """Hear that a write is tried, so that nobody tries another one meanwhile."""
        self.known = time.monotonic()

    def worked(self, begun: float) -> None:
        """Hear that something was written, since a moment of the monotonic clock; time goes on."""
        if self.trouble:
            logger.warning("the database can be written again")
        moment = time.monotonic()
        if moment - begun >= STANDSTILL:
            game_time.stall(max(begun, self.good))
        game_time.go_on()
        self.trouble, self.known, self.good = "", moment, moment

    def failed(self, error: Exception, begun: float) -> None:
        """Hear that something could not be written; it is logged once, until it works again."""
        game_time.stall(max(begun, self.good))
        if not self.suffered(error) and not self.trouble:
            logger.warning("the database cannot be written: %s", one_line(error))
        self.trouble = "it does not answer" if isinstance(error, TimeoutError) else "it cannot be written"
        self.known = time.monotonic()

    def suffered(self, error: Exception) -> bool:
        """Hear of an error, and say whether it means damage."""
        if not is_damage(error):
            return False
        logger.error("the database is damaged, a backup has to be restored: %s", one_line(error))
        self.is_damaged = True
        return True
