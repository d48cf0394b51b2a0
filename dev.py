#!/usr/bin/env python3
"""Everything a developer or a newcomer does here, one verb each. Needs only Python 3.11 or newer and pip.

    python3 dev.py play     set up what playing needs, then play
    python3 dev.py test     set up everything, then lint, type-check and run all tests
    python3 dev.py setup    set up everything
    python3 dev.py lint     lint, types and layers only
    python3 dev.py build    build the wheel and the source archive into dist/
    python3 dev.py bench    measure, with the peers, in an environment of their own
    python3 dev.py run …    run a command of the environment, for example: dev.py run smalti --help

Whatever follows the verb is passed on: `dev.py test tests/games -x`, `dev.py play mosaix`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = HERE / ".dev"
UV_VERSION = "0.13.7"
OLDEST = (3, 11)

Environment = dict[str, str]


def say(text: str) -> None:
    """Tell what is going on."""
    print(f"» {text}", file=sys.stderr, flush=True)


def run(*command: str | Path, extra: Environment | None = None) -> None:
    """Run a command in the project; stop with its exit code if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=HERE, env={**os.environ, **(extra or {})}, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def uv() -> Path:
    """Return the program that sets up environments, fetched with pip on first use."""
    folder = OURS / f"uv-{UV_VERSION}"
    program = folder / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if not program.exists():
        say(f"fetching uv {UV_VERSION}")
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--root-user-action=ignore", "--target", folder, f"uv=={UV_VERSION}")  # fmt: skip
    return program


def programs(venv: Path) -> Path:
    """Return the folder with an environment's commands."""
    return venv / ("Scripts" if os.name == "nt" else "bin")


def synced(venv: Path, *groups: str) -> Path:
    """Bring an environment up to date with the lock file, unless it is; return its commands' folder."""
    wanted = hashlib.sha256(
        b"\0".join([(HERE / "uv.lock").read_bytes(), (HERE / "pyproject.toml").read_bytes(), sys.version.encode()])
    ).hexdigest()
    stamp = venv / f"smalti-{'-'.join(groups) or 'runtime'}"
    if not stamp.exists() or stamp.read_text() != wanted:
        say(f"installing packages into {venv.relative_to(HERE)}")
        chosen = [word for group in groups for word in ("--group", group)]
        run(uv(), "sync", "--frozen", "--inexact", "--compile-bytecode", "--no-default-groups", *chosen,
            "--python", sys.executable, extra={"UV_PROJECT_ENVIRONMENT": str(venv)})  # fmt: skip
        stamp.write_text(wanted)
    return programs(venv)


VENV = HERE / ".venv"


def play(*words: str) -> None:
    """Set up what playing needs, then play."""
    bin = synced(VENV)
    run(bin / "smalti", "play", *words)


def setup(*words: str) -> Path:
    """Set up everything for development."""
    bin = synced(VENV, "dev")
    run(bin / "smalti", "warm", "--research")
    return bin


def lint(*words: str) -> None:
    """Check style, types and layers."""
    bin = synced(VENV, "dev")
    for command in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"], ["lint-imports"]):
        say(" ".join(command))
        run(bin / command[0], *command[1:])


# The same tests three times: compiled; plain Python, on fewer games; compiled with checks of every array index.
COMPILED: Environment = {}
PLAIN = {"NUMBA_DISABLE_JIT": "1", "SMALTI_TEST_SHARE": "0.02"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1", "SMALTI_TEST_SHARE": "0.2"}
RULES_TESTS = ("tests/engine", "tests/games", "tests/test_promises.py", "tests/test_perft.py", "tests/test_golden.py")
# Compiling these with checks takes many minutes; plain Python checks every index too.
ENVIRONMENT_TESTS = tuple(f"tests/research/test_{name}.py" for name in ("observations", "vector", "zoo"))


def test(*words: str) -> None:
    """Set up everything, then lint, type-check and run all tests; with words behind it, only those tests."""
    bin = setup()
    if words:
        run(bin / "pytest", *words)
        return
    lint()
    for name, extra, where in (
        ("compiled", COMPILED, ()),
        ("in plain Python", PLAIN, (*RULES_TESTS, *ENVIRONMENT_TESTS)),
        ("with bounds checks", CHECKED, RULES_TESTS),
    ):
        say(f"tests, {name}")
        run(bin / "pytest", "-q", "-n", "2", *where, extra=extra)


def build(*words: str) -> None:
    """Build the wheel and the source archive."""
    run(uv(), "build", "--python", sys.executable, *words)


def bench(*words: str) -> None:
    """Measure beside the peers; they are heavy and slow the start of everything, so they live apart."""
    bin = synced(OURS / "bench", "peers")
    run(bin / "smalti", "bench", *words)


def run_verb(*words: str) -> None:
    """Run a command of the environment."""
    bin = setup()
    run(bin / words[0], *words[1:])


VERBS = {"play": play, "test": test, "setup": setup, "lint": lint, "build": build, "bench": bench, "run": run_verb}


def main() -> None:
    """Run the verb that was asked for."""
    if sys.version_info < OLDEST:
        sys.exit(f"Smalti needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    if len(sys.argv) < 2 or sys.argv[1] not in VERBS or (sys.argv[1] == "run" and len(sys.argv) < 3):
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in ([], ["--help"], ["-h"]) else 2)
    try:
        VERBS[sys.argv[1]](*sys.argv[2:])
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
