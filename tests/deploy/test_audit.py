"""The audit: a version with an advisory is named and stops the build; what we depend on has none that we know of."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType

import pytest

from tests.server.site import ROOT

FILE = ROOT / "tools" / "audit.py"
PYTHON_LOCK = 'version = 1\n\n[[package]]\nname = "{name}"\nversion = "{version}"\n'


@pytest.fixture
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def audited(folder: Path, python: tuple[str, str], web: tuple[str, str]) -> subprocess.CompletedProcess[str]:
    """Audit two lock files with one package each, by our own list."""
    (folder / "uv.lock").write_text(PYTHON_LOCK.format(name=python[0], version=python[1]))
    (folder / "package-lock.json").write_text(json.dumps({"packages": {f"node_modules/{web[0]}": {"version": web[1]}}}))
    locks = ["--python-lock", str(folder / "uv.lock"), "--web-lock", str(folder / "package-lock.json")]
    return subprocess.run([sys.executable, FILE, *locks], capture_output=True, text=True)


def test_a_bad_version_is_named_with_its_advisory_and_what_to_take_instead(tmp_path: Path) -> None:
    done = audited(tmp_path, ("h11", "0.14.0"), ("nanoid", "3.3.7"))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "uv.lock: h11 0.14.0 has CVE-2025-43859, known since 2025-04: take 0.16.0",
        "package-lock.json: nanoid 3.3.7 has CVE-2024-55565, known since 2024-12: take 3.3.8",
    ]


def test_the_first_good_version_is_good_and_so_is_one_before_the_fault(tmp_path: Path) -> None:
    assert audited(tmp_path, ("h11", "0.16.0"), ("nanoid", "3.3.8")).returncode == 0
    assert audited(tmp_path, ("cryptography", "41.0.7"), ("h11", "0.14.0")).returncode == 0


def test_what_we_depend_on_is_not_in_our_list() -> None:
    done = subprocess.run([sys.executable, FILE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "our own list is of " in done.stdout


def test_an_old_list_is_called_old(audit: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    audit.say_age(str(date.today() - timedelta(days=audit.STALE)))
    audit.say_age(str(date.today() - timedelta(days=audit.STALE + 1)))
    fresh, old = capsys.readouterr().out.splitlines()
    assert "ago" not in fresh
    assert f"{audit.STALE + 1} days ago" in old


def test_a_service_that_answers_is_believed_and_one_that_does_not_is_no_hit(audit: ModuleType, tmp_path: Path) -> None:
    report = {"vulnerabilities": [{"dependency": {"name": "h11", "version": "0.14.0"}, "display_id": "CVE-2025-43859"}]}
    uv = tmp_path / "uv"
    uv.write_text(f"#!/bin/sh\necho '{json.dumps(report)}'\nexit 1\n")
    uv.chmod(0o755)
    assert [str(hit) for hit in audit.asked_uv(uv)] == ["uv.lock: h11 0.14.0 has CVE-2025-43859"]
    uv.write_text("#!/bin/sh\necho 'error: no route' >&2\nexit 2\n")
    assert audit.asked_uv(uv) is None
    assert audit.asked_uv(tmp_path / "missing") is None


def test_npm_is_understood(audit: ModuleType, tmp_path: Path) -> None:
    cause = {"url": "https://github.com/advisories/GHSA-67mh-4wv8-2f99", "title": "any page can ask"}
    report = {"vulnerabilities": {"esbuild": {"via": [cause]}, "vite": {"via": ["esbuild"]}}}
    (tmp_path / "lib" / "npm" / "bin").mkdir(parents=True)
    (tmp_path / "lib" / "npm" / "bin" / "npm-cli.js").touch()
    (tmp_path / "bin").mkdir()
    node = tmp_path / "bin" / "node"
    node.write_text(f"#!/bin/sh\necho '{json.dumps(report)}'\nexit 1\n")
    node.chmod(0o755)
    assert [str(hit) for hit in audit.asked_npm(node.parent)] == ["package-lock.json: esbuild has GHSA-67mh-4wv8-2f99"]


@pytest.mark.parametrize("key", ["kind", "package", "fixed", "id", "known"])
def test_every_fact_of_our_list_is_complete(key: str) -> None:
    ours = json.loads((ROOT / "tools" / "advisories.json").read_text())
    assert all(fact[key] for fact in ours["advisories"])
    assert date.fromisoformat(ours["checked"])
