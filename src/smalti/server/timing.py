"""What time it is. There is no other clock on the server; pages are told its time and never asked for theirs."""

from __future__ import annotations

import os
import time
from pathlib import Path

SHIFT = "SMALTI_CLOCK_SHIFT_FILE"  # for tests: a file with seconds to add, so that days pass in a moment


def now() -> float:
    """Return the time to the millisecond, which databases keep exactly."""
    return round(time.time() + shift(), 3)


def shift() -> float:
    """Return the seconds that a test has let pass; none where nobody tests."""
    file = os.environ.get(SHIFT)
    if not file:
        return 0.0
    try:
        return float(Path(file).read_text() or 0)
    except FileNotFoundError:
        return 0.0
