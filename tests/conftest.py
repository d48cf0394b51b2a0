"""Tests are the same on every run and never depend on the clock."""

import signal

from hypothesis import HealthCheck, settings

from tests.support import few

# Whoever starts the tests in the background lets them ignore Ctrl+C, and every process they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "steady",
    max_examples=few(100),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("steady")
