"""What was said at a table, as its log leads to it: allowances that come back, names, silence, and what is cleared."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from smalti.server.actions.chat import Hearing, speaker_of
from smalti.server.rooms.render import chat_after, speakers_of, table_of
from smalti.server.table.chat import BREATH, EVERYBODY, KEPT, MOST_SPEAKERS, OWN_PACES, SIDE_PACE, Side
from smalti.server.table.log import Log
from tests.server.logs import HOLDER, facts, read_row, told_to_all

HOUR = 3600.0


def add(log: Log, kind: str, at: float = 5000.0, seat: int | None = None, id: str | None = None, **body: Any) -> None:
    log.apply(read_row(log.length + 1, at, kind, seat, json.dumps(body), id))


def whisper(log: Log, by: str, at: float = 5000.0, name: str = "Eve", text: str = "hush") -> None:
    add(log, "say", at, text=text, name=name, by=by)


def new_log() -> Log:
    return Log(facts("patterns", 2))


def test_an_allowance_is_used_up_and_comes_back_with_time() -> None:
    log, at = new_log(), 5000.0
    for _ in range(BREATH.words):
        assert log.chat(False).wait("a", at) == 0
        whisper(log, "a", at)
    assert log.chat(False).wait("a", at) == pytest.approx(BREATH.seconds / BREATH.words)
    assert log.chat(False).wait("a", at + BREATH.seconds / BREATH.words) == 0
    assert log.chat(False).wait("b", at) == 0, "each for themselves"


def said_in(log: Log, speakers: int, seconds: float) -> int:
    """Count what so many onlookers can say who say something as often as they may."""
    count, at, end = 0, 5000.0, 5000.0 + seconds
    while at < end:
        for speaker in range(speakers):
            while log.chat(False).wait(f"{speaker}", at) == 0:
                whisper(log, f"{speaker}", at)
                count += 1
        at += 10.0
    return count


def test_nobody_says_more_than_a_speaker_may_in_an_hour_and_all_of_it_comes_back() -> None:
    log, most = new_log(), OWN_PACES[1].words
    assert most <= said_in(log, 1, HOUR) <= 2 * most
    assert log.chat(False).wait("0", 5000.0 + 3 * HOUR) == 0


def test_a_side_has_an_allowance_of_its_own() -> None:
    assert said_in(new_log(), 30, HOUR) <= 2 * SIDE_PACE.words
    log = new_log()
    for number in range(SIDE_PACE.words):
        whisper(log, f"{number}")
    assert log.chat(False).wait("somebody new", 5000.0) > 0
    assert log.chat(True).wait("seat 0", 5000.0) == 0, "players are not held up by onlookers"
    assert log.chat(False).wait("somebody new", 5000.0 + SIDE_PACE.seconds / SIDE_PACE.words) == 0


def test_a_clock_that_is_set_back_silences_nobody_for_longer_than_the_bucket_lasts() -> None:
    log = new_log()
    for _ in range(BREATH.words):
        whisper(log, "a", 10 * HOUR)
    assert log.chat(False).wait("a", 0.0) <= HOUR


def test_only_the_last_words_are_kept_and_their_numbers_are_true() -> None:
    log = new_log()
    for number in range(1, 1001):
        add(log, "say", 5000.0 + HOUR * number, 0, text=str(number))
    side = log.chat(True)
    assert (len(side.words), side.count) == (KEPT, 1000)
    for since in (0, 5, 1000 - KEPT):
        talk = chat_after(side, since)
        assert talk.since == since
        assert [(words.n, words.text) for words in talk.words] == [(n, str(n)) for n in range(1001 - KEPT, 1001)]
    assert [words.n for words in chat_after(side, 998).words] == [999, 1000]
    assert len(side.spent) == 1


def test_speakers_are_remembered_up_to_a_number_but_the_silenced_always() -> None:
    log = new_log()
    whisper(log, "first", name="Mallory")
    add(log, "silence", by="first", silenced=True)
    for number in range(3 * MOST_SPEAKERS):
        whisper(log, f"{number}", 5000.0 + HOUR * number, name=f"Eve {number}")
    side = log.chat(False)
    assert len(side.names) == MOST_SPEAKERS + 1
    assert side.names["first"] == "Mallory"
    assert len(side.spent) <= 2, "whose allowance is full again costs no memory"


def test_the_host_alone_is_told_who_spoke_and_not_what() -> None:
    log = new_log()
    whisper(log, "b", name="Eve", text="the secret words")
    whisper(log, "a", name="Adam")
    assert [(one.id, one.name, one.silenced) for one in speakers_of(log)] == [("a", "Adam", False), ("b", "Eve", False)]
    whisper(log, "b", name="Eve")
    assert [one.id for one in speakers_of(log)] == ["a", "b"], "nobody learns who spoke last"
    for holder, count in ((HOLDER, 2), ("somebody", 0), (None, 0)):
        table = table_of(log, holder, [False] * 2, 0)
        assert len(table.speakers) == count
        assert b"secret words" not in msgspec.json.encode(table)


def test_words_silence_and_clearing_move_no_number_and_change_nothing_else_that_is_told() -> None:
    one, other = new_log(), new_log()
    whisper(other, "a")
    add(other, "say", 5001.0, 0, text="hello")
    add(other, "silence", by="a", silenced=True)
    add(other, "clear", onlookers=True, n=None)
    add(other, "clear", onlookers=False, n=1)
    assert (one.number, one.last) == (other.number, other.last)
    assert told_to_all(one) == told_to_all(other)
    for holder in ("somebody", None):
        assert table_of(one, holder, [False] * 2, 0) == table_of(other, holder, [False] * 2, 0)


def test_what_is_cleared_keeps_its_number_and_nothing_else() -> None:
    log = new_log()
    for number, text in enumerate(("one", "two", "three")):
        whisper(log, "a", 5000.0 + number, text=text)
    add(log, "clear", onlookers=True, n=2)
    talk = chat_after(log.chat(False), 0)
    assert [(words.n, words.text, words.name, words.cleared) for words in talk.words] == [
        (1, "one", "Eve", False),
        (2, None, None, True),
        (3, "three", "Eve", False),
    ]
    add(log, "clear", onlookers=True, n=None)
    whisper(log, "a", 5010.0, text="four")
    talk = chat_after(log.chat(False), 0)
    assert [(words.text, words.cleared) for words in talk.words] == [(None, True)] * 3 + [("four", False)]
    assert speakers_of(log), "they can still be silenced"


def test_a_copy_shares_no_words() -> None:
    log = new_log()
    twin = log.copy()
    whisper(twin, "a")
    assert (log.chat(False).count, twin.chat(False).count) == (0, 1)


def test_words_from_before_are_replayed() -> None:
    log = new_log()
    add(log, "say", name="Eve", text="hello", id="1")
    add(log, "say", name="Eve", phrase="hello", id="2")
    assert [said.name for said in log.chat(False).words] == ["Eve", "Eve"]
    assert speakers_of(log) == []


def test_a_speaker_is_known_by_nothing_that_could_be_used_elsewhere() -> None:
    one = facts("patterns", 2)
    other = replace(one, key=bytes(31) + b"x")
    known = speaker_of(one, None, HOLDER)
    assert known == speaker_of(one, None, HOLDER)
    assert known not in HOLDER
    assert HOLDER[:8] not in known
    assert known != speaker_of(one, None, "somebody else")
    assert known != speaker_of(other, None, HOLDER)
    assert speaker_of(one, None, None) == speaker_of(one, None, ""), "who has no cookie shares one allowance"


def test_a_page_hears_everything_anew_when_something_was_taken_away() -> None:
    log, page = new_log(), Hearing()
    side = log.chat(False)
    page.start(side, 0)
    assert page.news(side) is None
    whisper(log, "a", text="one")
    assert [words.text for words in news(page, log)] == ["one"]
    whisper(log, "a", text="two")
    add(log, "clear", onlookers=True, n=1)
    assert page.news(log.chat(False)) == 0
    assert [words.text for words in chat_after(log.chat(False), 0).words] == [None, "two"]
    late = Hearing()
    late.start(log.chat(False), 2)
    assert late.news(log.chat(False)) == 0, "who was away cannot know of it"


def news(page: Hearing, log: Log) -> list[Any]:
    since = page.news(log.chat(False))
    return [] if since is None else list(chat_after(log.chat(False), since).words)


def test_a_number_of_words_that_was_never_said_counts_for_nothing() -> None:
    page = Hearing()
    for count in (-1, 7):
        page.start(Side(), count)
        assert page.count == 0


def test_a_host_who_wants_no_onlooker_to_speak_is_told_so_and_takes_it_back() -> None:
    log = new_log()
    whisper(log, "a", name="Adam")
    add(log, "silence", by=EVERYBODY, silenced=True)
    assert [(one.id, one.silenced) for one in speakers_of(log)] == [(EVERYBODY, True), ("a", False)]
    add(log, "silence", by=EVERYBODY, silenced=False)
    assert [(one.id, one.silenced) for one in speakers_of(log)] == [("a", False)]
