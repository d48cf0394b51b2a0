"""Tasks that are supervised: what ends is begun anew and said, and what is cancelled stays so."""

from __future__ import annotations

import asyncio

import pytest

from smalti.server import tasks
from smalti.server.tasks import ended, supervised


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "FIRST_PAUSE", 0.0)


def test_a_task_that_fails_or_ends_is_begun_anew_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        begun, enough = 0, asyncio.Event()

        async def work() -> None:
            nonlocal begun
            begun += 1
            if begun == 1:
                raise ValueError("a bug")
            if begun == 3:
                enough.set()
                await asyncio.Event().wait()

        task = supervised("something", work)
        await enough.wait()
        await ended(task, None)
        assert task.cancelled()

    asyncio.run(run())
    assert "ValueError: a bug" in caplog.text  # with its traceback
    assert "something has ended" in caplog.text
