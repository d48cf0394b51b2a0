"""`smalti verify` on records that carry a proof: what follows from it in plain words, and what does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.test_verify import OK, RECORD
from tests.server.luck.test_fairness import changed, document, fair_log, played


@pytest.fixture(scope="module")
def proven() -> dict[str, Any]:
    """The record of a game of Mozaika with its proof."""
    return document(played(fair_log("mozaika", 3)))


def test_a_proof_is_praised_in_words(run: Run, proven: dict[str, Any]) -> None:
    code, out, err = run("verify", "-", stdin=json.dumps(proven))
    assert (code, err) == (0, "")
    assert out.startswith("ok mozaika 3 scores=")
    words = "fair: the secret fits its commitment, 16 of 16 draws follow from it, 45 of 45 seals fit\n"
    assert out.endswith(words)


def test_a_deal_by_code_is_told_from_a_proof(run: Run) -> None:
    record = document(played(fair_log("patterns", 2, "Tuesday")))
    code, out, _ = run("verify", "-", stdin=json.dumps(record))
    assert code == 0
    assert "1 of 1 draws follow from the code, which was known beforehand, so the game counts for nothing" in out


def test_a_record_without_a_proof_is_as_good_as_before_and_says_so_when_asked(run: Run) -> None:
    assert run("verify", "-", stdin=RECORD.line()) == (0, OK, "")
    assert run("verify", "-", "--fair", stdin=RECORD.line()) == (0, f"{OK.strip()} fair: no proof in this record\n", "")


def test_a_wrong_secret_is_refused(run: Run, proven: dict[str, Any]) -> None:
    code, out, _ = run("verify", "-", stdin=json.dumps(changed(proven, secret="01" * 32)))
    assert (code, out) == (1, "-:1: the secret does not fit the commitment that was shown before the game\n")


def test_the_first_draw_that_does_not_follow_is_named(run: Run, proven: dict[str, Any]) -> None:
    code, out, _ = run("verify", "-", stdin=json.dumps(changed(proven, nonces=["9" * 64] * 3)))
    assert code == 1
    assert out.startswith("-:1 event 1: fairness what chance did does not follow from the proof, which gives deal ")


def test_a_seal_that_does_not_fit_is_named(run: Run, proven: dict[str, Any]) -> None:
    first, *rest = proven["fairness"]["seals"]
    broken = changed(proven, seals=[{**first, "seal": "00" * 32}, *rest])
    code, out, _ = run("verify", "-", stdin=json.dumps(broken))
    assert code == 1
    assert out == f"-:1 event {first['event']}: fairness what was decided does not fit its seal\n"


def test_a_proof_that_cannot_be_understood_is_bad_input(run: Run, proven: dict[str, Any]) -> None:
    for fairness in (7, {"version": 1}, {"version": 3, "table": "t", "secret": "00"}, {"version": 1, "table": "t"}):
        code, out, _ = run("verify", "-", stdin=json.dumps({**proven, "fairness": fairness}))
        assert (code, out.startswith("-:1: 'fairness' ")) == (2, True)


def test_json_for_programs(run: Run, proven: dict[str, Any]) -> None:
    lines = [proven, changed(proven, secret="01" * 32), RECORD.document()]
    _, out, _ = run("verify", "-", "--json", stdin="\n".join(map(json.dumps, lines)))
    good, bad, without = map(json.loads, out.splitlines())
    assert good["fair"].startswith("the secret fits")
    assert (bad["ok"], bad["rule"], bad["reason"], bad["event"]) == (False, "fairness", "fairness.commitment", None)
    assert without["fair"] is None
