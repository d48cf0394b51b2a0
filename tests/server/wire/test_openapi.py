"""The documents that are made from the messages: OpenAPI, and the types of the pages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.site import ROOT, Browser

WORDLESS = {"/api/tables/{match}/record"}  # told in docs/records.md


@pytest.fixture
def document(host: Browser) -> Any:
    return json.loads(host.http.get("/api/openapi.json").text)


def references(part: Any) -> Iterator[str]:
    """Yield all that a document refers to."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "$ref":
                yield value
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_every_reference_leads_somewhere(document: Any) -> None:
    found = set(references(document))
    assert len(found) > 10
    for reference in found:
        place = document
        assert reference.startswith("#/")
        for step in reference[2:].split("/"):
            place = place[step]
        assert place


def test_every_route_is_named_with_what_it_gives_and_takes(document: Any) -> None:
    assert len(document["paths"]) >= 12
    for address, methods in document["paths"].items():
        for method, told in methods.items():
            assert told["summary"], address
            assert told["description"], address
            done = next(answer for status, answer in told["responses"].items() if status.startswith("2"))
            if method == "get" and address not in WORDLESS:
                assert done["content"]["application/json"]["schema"], address
                assert "4XX" in told["responses"]


def test_the_document_names_exactly_the_routes_there_are(document: Any, host: Browser) -> None:
    for address in document["paths"]:
        filled = address.replace("{match}", "nowhere").replace("{seat}", "0").replace("{number}", "0")
        for method in document["paths"][address]:
            answer = host.http.request(method, filled, json={} if method != "get" else None)
            assert answer.status_code != 404 or answer.json()["reason"] == "table.gone"
            assert answer.status_code < 500
            assert answer.status_code != 405


def test_the_types_of_the_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "tools/wire_types.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_that_are_stale_are_noticed(tmp_path: Path) -> None:
    stale = tmp_path / "api" / "wire.ts"
    stale.parent.mkdir()
    stale.write_text("export interface Look {}\n")
    program = (
        "import sys, pathlib; sys.path.insert(0, 'tools'); import wire_types;"
        f"wire_types.SOURCE = pathlib.Path({str(tmp_path)!r}); sys.argv = ['wire_types', '--check'];"
        "wire_types.main()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert stale.read_text() == "export interface Look {}\n"
