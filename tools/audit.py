"""Check everything the lock files name against advisories: python tools/audit.py --uv PROGRAM --node FOLDER

uv and npm ask their services, where those can be reached. A list of our own, `tools/advisories.json`, is looked through
in any case: its facts were entered by hand, and its date is told. Exit code 1 names every hit in a line.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60  # for a service to answer
STALE = 90  # days after which our list is called old


class Locked(NamedTuple):
    """A package that a lock file names."""

    file: str
    kind: str  # "python" or "web"
    name: str
    version: str


class Hit(NamedTuple):
    """A package with an advisory."""

    where: str
    package: str
    id: str
    more: str

    def __str__(self) -> str:
        return f"{self.where}: {self.package} has {self.id}{self.more}"


def locked(python: Path, web: Path) -> Iterator[Locked]:
    """Return every package of both lock files."""
    for package in tomllib.loads(python.read_text(encoding="utf-8"))["package"]:
        if "version" in package:
            yield Locked(python.name, "python", package["name"], package["version"])
    for place, package in json.loads(web.read_text(encoding="utf-8"))["packages"].items():
        if place:
            yield Locked(web.name, "web", place.rpartition("node_modules/")[2], package.get("version", "0"))


def number(version: str) -> tuple[int, ...]:
    """Return the numbers of a version; what is not final counts as if it were."""
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, found.group().split("."))) if found else ()


def known_hits(packages: list[Locked], advisories: list[dict[str, str]]) -> list[Hit]:
    """Return which packages our own list has something against."""
    return [
        Hit(each.file, f"{each.name} {each.version}", fact["id"], advice(fact))
        for each in packages
        for fact in advisories
        if is_about(fact, each)
    ]


def is_about(fact: dict[str, str], each: Locked) -> bool:
    """Say whether a package is of a version that a fact of our list warns of."""
    is_named = (fact["kind"], fact["package"]) == (each.kind, each.name)
    return is_named and number(fact.get("from", "0")) <= number(each.version) < number(fact["fixed"])


def advice(fact: dict[str, str]) -> str:
    """Return what to do about a fact of our list."""
    return f", known since {fact['known']}: take {fact['fixed']}"


def told_by(*words: str | Path, **more: str) -> dict[str, Any] | None:
    """Return the report of a program that asks a service, or nothing if there was no answer."""
    try:
        done = subprocess.run(
            [str(word) for word in words], cwd=ROOT, env={**os.environ, **more}, capture_output=True, timeout=SECONDS
        )
        report = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report if isinstance(report, dict) and "vulnerabilities" in report else None


def asked_uv(uv: Path) -> list[Hit] | None:
    """Ask uv's service about uv.lock."""
    words = ["audit", "--frozen", "--output-format", "json", "--preview-features", "audit-command,json-output"]
    report = told_by(uv, *words, UV_HTTP_RETRIES="0", UV_HTTP_TIMEOUT="10")
    if report is None:
        return None
    found = [(each["dependency"], each.get("display_id") or each.get("id")) for each in report["vulnerabilities"]]
    return [Hit("uv.lock", f"{package['name']} {package['version']}", str(name), "") for package, name in found]


def asked_npm(node: Path) -> list[Hit] | None:
    """Ask npm's service about package-lock.json."""
    program = next((node.parent / "lib").rglob("npm/bin/npm-cli.js"), None) or next(node.rglob("npm-cli.js"), None)
    if program is None:
        return None
    words = ["--prefix", str(ROOT / "web"), "audit", "--json", "--package-lock-only", "--fetch-retries=0"]
    report = told_by(node / "node", program, *words, NPM_CONFIG_FETCH_TIMEOUT="10000")
    if report is None:
        return None
    found = [(name, cause) for name, each in report["vulnerabilities"].items() for cause in each["via"]]
    # A cause without an address is a name: that one depends on another one of the list.
    causes = [(name, str(cause.get("url") or cause["title"])) for name, cause in found if isinstance(cause, dict)]
    return [Hit("package-lock.json", name, address.rpartition("/")[2], "") for name, address in causes]


def asked(options: argparse.Namespace) -> list[Hit]:
    """Ask the services, and say which do not answer."""
    found: list[Hit] = []
    for name, hits in (
        ("uv", asked_uv(options.uv) if options.uv else None),
        ("npm", asked_npm(options.node) if options.node else None),
    ):
        if hits is None:
            print(f"  the service of {name} was not reached; our own list has to do")
        found += hits or []
    return found


def say_age(checked: str) -> None:
    """Tell how old our list is."""
    days = (date.today() - date.fromisoformat(checked)).days
    age = f", which is {days} days ago: audit again where the services are reached" if days > STALE else ""
    print(f"  our own list is of {checked}{age}")


def main() -> None:
    """Audit both lock files."""
    parser = argparse.ArgumentParser(description="Check the lock files against advisories.")
    parser.add_argument("--uv", type=Path)
    parser.add_argument("--node", type=Path, help="the folder of node")
    parser.add_argument("--python-lock", type=Path, default=ROOT / "uv.lock")
    parser.add_argument("--web-lock", type=Path, default=ROOT / "web" / "package-lock.json")
    options = parser.parse_args()
    ours = json.loads((ROOT / "tools" / "advisories.json").read_text(encoding="utf-8"))
    say_age(ours["checked"])
    packages = list(locked(options.python_lock, options.web_lock))
    hits = [hit for hit in asked(options) if hit.id not in ours["accepted"]]
    hits += known_hits(packages, ours["advisories"])
    for hit in hits:
        print(hit, file=sys.stderr)
    print(f"  {len(packages)} packages, {len(hits)} with an advisory")
    sys.exit(1 if hits else 0)


if __name__ == "__main__":
    main()
