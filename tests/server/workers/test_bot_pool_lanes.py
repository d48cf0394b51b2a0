"""Who gets a process: quick bots never wait for slow ones, one server thinks for a bot, a death costs nobody else."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from smalti.server.bus import LocalBus, RedisBus
from smalti.server.doors import health
from smalti.server.table.log import Log
from smalti.server.workers.bot_pool import BotPool, Crowded, Overtaken, claims, pool
from smalti.server.workers.bot_pool.process import Died, Process
from smalti.server.workers.bot_pool.questions import Think
from tests.server.logs import entry, facts, play_log, seated
from tests.server.programs import running_redis
from tests.server.site import free_port
from tests.server.workers.test_bot_pool import children_that

Answer = Callable[[Think], Coroutine[None, None, str]]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], None]:
    """Let somebody else answer in place of the processes."""

    def answer_by(answer: Answer) -> None:
        monkeypatch.setattr(Process, "ask", lambda process, question: answer(question))

    return answer_by


def log_of(bot: str, table: str = "table") -> Log:
    """Return a table of Patterns at which this bot has to act."""
    log = seated(facts("patterns", 2, id=table))
    play_log(log, random.Random(1), lambda log: bool(log.match.acting))
    entry(log, "bot", seat_of(log), {"bot": bot})
    return log


def seat_of(log: Log) -> int:
    """Return who has to act."""
    return min(log.match.acting)


def decision_of(log: Log) -> str:
    """Return the name under which servers claim what a bot has to decide."""
    return f"{log.facts.id}.{seat_of(log)}.{log.asked[seat_of(log)]}"


def ask(bot_pool: BotPool, log: Log, **more: Any) -> asyncio.Task[str]:
    """Let the bot of a table think."""
    return asyncio.create_task(bot_pool.choose(log, seat_of(log), **more))


async def moment() -> None:
    """Let everything happen that can happen now."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_quick_bot_answers_while_a_hundred_tables_wait_for_strong_ones(answering: Callable[[Answer], None]) -> None:
    asked: Counter[str] = Counter()

    async def answer(question: Think) -> str:
        asked[question.bot] += 1
        if question.bot == "level-8":
            await asyncio.Event().wait()
        return "pass"

    async def run() -> None:
        bot_pool = BotPool(1)
        strong = [ask(bot_pool, log_of("level-8", f"table {number}")) for number in range(100)]
        await moment()
        for level in range(1, 8):
            assert await ask(bot_pool, log_of(f"level-{level}")) == "pass"
        assert asked["level-8"] == 1
        assert bot_pool.waiting == 99
        for task in strong:
            task.cancel()
        await bot_pool.stop()

    answering(answer)
    asyncio.run(run())


def test_a_thought_that_nobody_waits_for_any_more_is_not_begun(answering: Callable[[Answer], None]) -> None:
    asked, go_on = list[str](), asyncio.Event()

    async def answer(question: Think) -> str:
        asked.append(question.bot)
        await go_on.wait()
        return "pass"

    async def run() -> None:
        bot_pool, wanted = BotPool(1), [True]
        first = ask(bot_pool, log_of("level-1"))
        second = ask(bot_pool, log_of("level-2"), is_wanted=lambda: wanted[0])
        await moment()
        wanted[0] = False
        go_on.set()
        assert await first == "pass"
        with pytest.raises(Overtaken):
            await second

    answering(answer)
    asyncio.run(run())
    assert asked == ["level-1"]


def test_what_does_not_fit_into_the_queue_is_to_be_asked_again(answering: Callable[[Answer], None]) -> None:
    go_on = asyncio.Event()

    async def answer(question: Think) -> str:
        await go_on.wait()
        return "pass"

    async def run() -> None:
        bot_pool = BotPool(1)
        bot_pool.strong.queue.most = 1
        first, second = ask(bot_pool, log_of("level-8")), ask(bot_pool, log_of("level-8", "another"))
        await moment()
        with pytest.raises(Crowded):
            await ask(bot_pool, log_of("level-8", "third"))
        go_on.set()
        assert [await first, await second] == ["pass", "pass"]
        assert await ask(bot_pool, log_of("level-8", "third")) == "pass"

    answering(answer)
    asyncio.run(run())


def test_what_kills_processes_is_tried_later_and_later_and_others_go_on(
    answering: Callable[[Answer], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def pause(is_wanted: Callable[[], bool], seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    async def answer(question: Think) -> str:
        if question.bot == "level-1" and len(pauses) < 12:
            raise Died("a thinking process died")
        return "pass"

    async def run() -> None:
        bot_pool = BotPool(1)
        poison = ask(bot_pool, log_of("level-1"))
        for number in range(5):
            assert await ask(bot_pool, log_of("level-2", f"table {number}")) == "pass"
        assert await poison == "pass"

    monkeypatch.setattr(pool, "wait_while", pause)
    answering(answer)
    asyncio.run(run())
    assert pauses[:4] == [0, 2, 4, 8]
    assert pauses[-1] == pool.LONGEST_BACK_OFF


def test_one_of_two_servers_thinks_for_a_bot_and_the_other_one_if_it_dies(
    answering: Callable[[Answer], None], redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    async def answer(question: Think) -> str:
        asked.append(question.bot)
        await asyncio.Event().wait() if len(asked) == 1 else None
        return "pass"

    async def run() -> None:
        buses = [RedisBus(redis) for _ in range(2)]
        log = log_of("level-1", f"table {random.getrandbits(64)}")
        one = ask(BotPool(1, buses[0]), log)
        while not asked:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(claims, "LOOK", 0.1)  # after which the other one looks again
        other = ask(BotPool(1, buses[1]), log)
        for _ in range(20):
            assert not await buses[1].claim(decision_of(log), 10)
            await asyncio.sleep(0.01)
        assert len(asked) == 1
        await buses[0].claim(decision_of(log), 0)  # as if it had been killed
        assert await other == "pass"
        one.cancel()
        await asyncio.gather(one, return_exceptions=True)
        for bus in buses:
            await bus.stop()

    answering(answer)
    asyncio.run(asyncio.wait_for(run(), 60))
    assert len(asked) == 2


def test_whoever_waits_for_another_server_notices_that_the_move_was_made(
    answering: Callable[[Answer], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Elsewhere(LocalBus):
        async def claim(self, what: str, seconds: float) -> bool:
            return False

    async def answer(question: Think) -> str:
        raise AssertionError("another server thinks")

    async def run() -> None:
        wanted = [True]
        waiting = ask(BotPool(1, Elsewhere()), log_of("level-1"), is_wanted=lambda: wanted[0])
        await moment()
        wanted[0] = False
        with pytest.raises(Overtaken):
            await waiting

    answering(answer)
    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_claim_is_ones_own_until_it_ends(redis: str) -> None:
    async def run() -> None:
        ours, theirs = RedisBus(redis), RedisBus(redis)
        what = f"table {random.getrandbits(64)}.0.1"
        assert await ours.claim(what, 60)
        assert not await theirs.claim(what, 60)
        assert await ours.claim(what, 60)
        assert await ours.claim(what, 0)
        while not await theirs.claim(what, 60):
            await asyncio.sleep(0.01)
        assert not await ours.claim(what, 60)
        for bus in (ours, theirs):
            await bus.stop()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_claim_of_a_server_that_has_died_is_taken_over_within_seconds(redis: str) -> None:
    async def run() -> float:
        dead, ours = RedisBus(redis), RedisBus(redis)
        what = f"table {random.getrandbits(64)}.0.1"
        assert await dead.claim(what, 1)  # the rest of its lease
        begun = time.monotonic()
        async with claims.claimed(ours, what, lambda: True):
            passed = time.monotonic() - begun
        for bus in (dead, ours):
            await bus.stop()
        return passed

    assert asyncio.run(run()) < claims.LEASE / 2


def test_a_redis_that_hangs_is_waited_for_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("smalti.server.bus.redis_bus.LIMIT", 2.0)
    monkeypatch.setattr("smalti.server.bus.circuit_breaker.PAUSE", 0.05)

    async def run(address: str, pid: int) -> None:
        bus = RedisBus(address)
        assert await bus.claim("table.0.1", 10)
        os.kill(pid, signal.SIGSTOP)
        try:
            assert await bus.claim("table.0.2", 10)
            begun = time.monotonic()
            for number in range(3, 50):
                assert await bus.claim(f"table.0.{number}", 10)
            assert time.monotonic() - begun < 2.0, "as long as one of them alone would have waited"
        finally:
            os.kill(pid, signal.SIGCONT)
        while bus.breaker.is_open:
            await asyncio.sleep(0.05)
        other = RedisBus(address)
        assert await other.claim("table.0.100", 10)
        assert not await bus.claim("table.0.100", 10), "it asks again"
        for each in (bus, other):
            await each.stop()

    with running_redis() as address:
        (pid,) = children_that(os.getpid(), address.rpartition(":")[2].encode())
        asyncio.run(asyncio.wait_for(run(address, pid), 60))
    assert caplog.text.count("claiming what to think about by Redis has failed") == 1


def test_a_publish_that_fails_is_logged_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        bus = RedisBus(f"redis://127.0.0.1:{free_port()}")
        for _ in range(5):
            await bus.publish("table")
        await bus.stop()

    asyncio.run(run())
    assert caplog.text.count("telling the other processes by Redis has failed") == 1


def test_a_process_that_hangs_is_ended_and_the_thought_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "QUICK_SECONDS", 60.0)

    async def run() -> None:
        bot_pool = BotPool(1)
        bot_pool.start([])
        assert await ask(bot_pool, log_of("level-1"))
        child = bot_pool.quick.processes[0].child
        assert child
        os.kill(child.pid, signal.SIGSTOP)
        monkeypatch.setattr(pool, "QUICK_SECONDS", 0.3)
        answer = ask(bot_pool, log_of("level-1"))
        while not bot_pool.is_dying:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(pool, "QUICK_SECONDS", 60.0)
        await child.wait()
        assert await answer
        assert not bot_pool.is_dying, "another one has answered"
        await bot_pool.stop()

    asyncio.run(asyncio.wait_for(run(), 300))


def test_a_bot_that_is_still_being_compiled_has_more_time() -> None:
    bot_pool = BotPool(1)
    assert bot_pool.quick.seconds() == bot_pool.strong.seconds() == pool.COMPILING_SECONDS
    bot_pool.games = ["patterns"]
    bot_pool.loaded.add("patterns")
    assert (bot_pool.quick.seconds(), bot_pool.strong.seconds()) == (pool.QUICK_SECONDS, pool.STRONG_SECONDS)


def test_deaths_over_a_thought_that_nobody_wants_lapse(
    answering: Callable[[Answer], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(question: Think) -> str:
        wanted[0] = False
        raise Died("a thinking process died")

    async def run() -> None:
        bot_pool = BotPool(1)
        bot_pool.start([])
        part = health.bots(bot_pool)
        assert (await part()).ready
        with pytest.raises(Overtaken):
            await ask(bot_pool, log_of("level-1"), is_wanted=lambda: wanted[0])
        assert not (await part()).ready
        monkeypatch.setattr(pool, "LAPSE", 0.0)
        assert (await part()).ready

    wanted = [True]
    answering(answer)
    asyncio.run(run())


def test_bots_are_ready_when_they_are_loaded_though_the_process_dies_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "back_off", lambda deaths: 0.0)

    async def run() -> None:
        bot_pool = BotPool(1)
        part = health.bots(bot_pool)
        assert not (await part()).ready
        bot_pool.start(["patterns"])
        child = await bot_pool.quick.processes[0].running()
        child.kill()
        assert await part() == health.PartState(False, "the bots are being compiled or loaded", 0)
        while bot_pool.percent < 100:
            await asyncio.sleep(0.05)
        assert (await part()).ready
        await bot_pool.stop()

    asyncio.run(asyncio.wait_for(run(), 600))


def test_without_an_answer_of_redis_everything_is_granted() -> None:
    async def run() -> None:
        bus = RedisBus("redis://127.0.0.1:1")
        assert await bus.claim("table.0.1", 10)
        await bus.stop()

    asyncio.run(run())
