"""Records: strict about what the contract names, careful with everything else."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smalti
from smalti.engine.records import LONGEST_TEXT
from tests.support import few, random_match

GOOD: dict[str, Any] = smalti.record_of(random_match(smalti.games.find("patterns"), 2, {}, random.Random(4))).document()


def changed(**changes: Any) -> dict[str, Any]:
    """A good record with some keys replaced, or left out where None is given."""
    return {key: value for key, value in {**GOOD, **changes}.items() if value is not ...}


def test_a_round_trip_loses_nothing_not_even_what_we_do_not_know() -> None:
    document = changed(names=["Iza", "Adam"], fairness={"seed": "00", "of": [1.5, None, 10**30]})
    document["events"] = [{**event, "at": number} for number, event in enumerate(GOOD["events"])]
    record = smalti.read(json.dumps(document))
    assert json.loads(record.line()) == document
    assert json.loads(record.text()) == document
    assert smalti.read(record.text()) == record
    smalti.verify(record)


def test_an_unfinished_game_has_no_scores() -> None:
    record = smalti.read(json.dumps(changed(events=GOOD["events"][:7], scores=..., winners=...)))
    match = smalti.verify(record)
    assert not match.is_over
    assert "scores" not in smalti.record_of(match).document()


def test_a_record_can_be_replayed_part_of_the_way() -> None:
    record = smalti.read(json.dumps(GOOD))
    assert len(smalti.match_of(record, 3).events) == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [1, 2]}, "The record gives the scores"),
        ({"winners": []}, "The record gives the winners"),
        ({"scores": ..., "winners": ...}, "no scores"),
        ({"events": GOOD["events"][:-1]}, "not over"),
    ],
)
def test_a_wrong_result_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(smalti.Refused, match=message) as refused:
        smalti.verify(smalti.read(json.dumps(changed(**changes))))
    assert refused.value.rule == "result"


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "a JSON object, not a list"),
        (None, "a JSON object, not null"),
        (changed(format=...), "'format' is missing"),
        (changed(format="smalti-record/2"), "format 'smalti-record/2' is not known"),
        (changed(format=1), "'format' must be"),
        (changed(game=...), "'game' is missing"),
        (changed(game=3), "'game' must be the name of a game"),
        (changed(players="2"), "'players' must be a number"),
        (changed(players=True), "not true or false"),
        (changed(players=2.0), "'players' must be a number"),
        (changed(options=...), "'options' is missing"),
        (changed(options=[]), "'options' must be an object"),
        (changed(options={"end": 1}), "option 'end' must be text"),
        (changed(events=...), "'events' is missing"),
        (changed(events={}), "'events' must be a list"),
        (changed(events=[1]), "event 1 must be an object"),
        (changed(events=[{"by": 0}]), "event 1 has no 'do'"),
        (changed(events=[{"do": "give K"}]), "event 1 has no 'by'"),
        (changed(events=[{"by": "0", "do": "give K"}]), "'by' must be a seat number or null"),
        (changed(events=[{"by": True, "do": "give K"}]), "'by' must be a seat number or null"),
        (changed(events=[{"by": 0, "do": 3}]), "'do' must be text"),
        (changed(events=[{"by": 0, "do": "x" * (LONGEST_TEXT + 1)}]), "no event has more than"),
        (changed(scores=None), "'scores' must be a list"),
        (changed(scores=[1.0, 2]), "'scores' must hold whole numbers"),
        (changed(winners=[True]), "'winners' must hold whole numbers"),
        (changed(winners=...), "come together"),
    ],
)
def test_what_is_no_record_gets_one_clear_line(document: Any, message: str) -> None:
    with pytest.raises(smalti.BadRecord, match=message) as bad:
        smalti.read(json.dumps(document))
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "not JSON"),
        (b'{"format": "smalti-record/1", "game"', "not JSON: .* column"),
        (b"\xff\xfe\x00", "not a text in UTF-8"),
        (b"\x00\x01\x02", "not JSON"),
        (b'{"game": "patterns", "game": "mosaix"}', "key 'game' stands twice"),
        (b'{"players": NaN}', "NaN is not JSON"),
        (b'{"players": -Infinity}', "-Infinity is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"players": ' + b"9" * 5000 + b"}", "too many digits"),
        ('{"\ud800": 1, "\ud800": 2}'.encode("utf-8", "surrogatepass"), "not a text in UTF-8"),
        (rb'{"\ud800": 1, "\ud800": 2}', r"key '\\ud800' stands twice"),
    ],
)
def test_what_is_no_json_gets_one_clear_line(text: bytes, message: str) -> None:
    with pytest.raises(smalti.BadRecord, match=message):
        smalti.read(text)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"by": 7, "do": "open a5"}, "seats are 0 to 1"),
        ({"by": -1, "do": "open a5"}, "seats are 0 to 1"),
        ({"by": 1, "do": "GIVE K"}, "no such event"),
        ({"by": 1, "do": "give  K"}, "expected 'give'"),
        ({"by": 1, "do": "give X"}, "expected 'give'"),
        ({"by": 1, "do": ""}, "no such event"),
        ({"by": 1, "do": "open z9"}, "not a space of the mandala"),
        ({"by": 1, "do": "open a1"}, "not a space of the mandala"),
    ],
)
def test_an_error_in_an_event_names_the_event(event: dict[str, Any], message: str) -> None:
    document = changed(events=[GOOD["events"][0], event], scores=..., winners=...)
    with pytest.raises(smalti.BadInput, match=message) as bad:
        smalti.verify(smalti.read(json.dumps(document)))
    assert bad.value.event == 2


def test_a_record_without_its_deal_is_refused() -> None:
    with pytest.raises(smalti.Refused, match="laid out first") as refused:
        smalti.verify(smalti.read(json.dumps(changed(events=GOOD["events"][1:]))))
    assert (refused.value.event, refused.value.rule) == (1, "PT-1")


def test_nothing_can_happen_after_the_end() -> None:
    last = GOOD["events"][-1]
    with pytest.raises(smalti.Refused, match="over") as refused:
        smalti.verify(smalti.read(json.dumps(changed(events=[*GOOD["events"], last]))))
    assert refused.value.event == len(GOOD["events"]) + 1


def complaint_about(text: bytes) -> str:
    """What is said about a record; only named errors are caught."""
    try:
        smalti.verify(smalti.read(text))
    except smalti.SmaltiError as error:
        return str(error)
    return "good"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=8,
)


@settings(max_examples=few(300))
@given(
    st.dictionaries(st.sampled_from([*GOOD, "extra"]), json_values), st.integers(0, 60), st.integers(0, 3), st.text()
)
def test_no_document_causes_anything_but_a_named_error(
    changes: dict[str, Any], number: int, seat: int, text: str
) -> None:
    document = {**GOOD, **changes}
    if isinstance(document["events"], list) and "events" not in changes:
        document["events"] = [*GOOD["events"][:number], {"by": seat, "do": text}, *GOOD["events"][number:]]
    assert "\n" not in complaint_about(json.dumps(document).encode())


@settings(max_examples=few(300))
@given(st.binary(max_size=200), st.integers(0, 2000), st.integers(0, 200))
def test_no_bytes_cause_anything_but_a_named_error(noise: bytes, place: int, removed: int) -> None:
    good = json.dumps(GOOD).encode()
    assert "\n" not in complaint_about(good[:place] + noise + good[place + removed :])


@pytest.mark.parametrize(
    "file", sorted((Path(__file__).parent.parent / "broken").glob("*")), ids=lambda file: file.name
)
def test_what_once_broke_the_reader_gets_a_named_error(file: Path) -> None:
    assert complaint_about(file.read_bytes())
