"""Tests let the searching bots think less than in earnest, by the number of tables they look at, not by the clock."""

import pytest

from smalti.bots.mosaix.simple import bots as mosaix
from smalti.bots.patterns.simple import bots as patterns


@pytest.fixture(autouse=True)
def short_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "BUDGET", 30_000)
    monkeypatch.setattr(mosaix, "CANDIDATES", 2)
    monkeypatch.setattr(mosaix, "FORMS_AHEAD", 10)
