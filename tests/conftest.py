"""Tests are the same on every run and never depend on the clock."""

from hypothesis import HealthCheck, settings

from tests.support import few

settings.register_profile(
    "steady",
    max_examples=few(100),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("steady")
