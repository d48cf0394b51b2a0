"""The extra is an extra: nothing else needs it, and without it there is a clear word."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

FRAMEWORKS = ("gymnasium", "pettingzoo", "pyspiel", "open_spiel", "PIL", "matplotlib")
NEEDED = ("numpy", "numba", "llvmlite", "platformdirs")  # by everybody

LOADED = f"""
import sys
import smalti, smalti.cli, smalti.engine.loops.stepping
print([name for name in {FRAMEWORKS} if name in sys.modules])
"""

WITHOUT = """
import smalti.research as research
from smalti.research.play import Play
play = Play(research.setting("patterns"))
play.start(1)
print(play.next)
for make in (research.aec_env, research.parallel_env, research.vector_env):
    try:
        make("patterns")
    except ModuleNotFoundError as missing:
        print(missing)
"""


def output(code: str, **more: str) -> list[str]:
    """Return what a new process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **more})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_importing_smalti_loads_no_framework() -> None:
    assert output(LOADED) == ["[]"]


def test_without_the_frameworks_it_says_what_to_install(tmp_path: Path) -> None:
    for name in NEEDED:
        found = importlib.util.find_spec(name)
        assert found
        assert found.origin
        folder = Path(found.origin).parent
        for place in (folder, folder.parent / f"{name}.libs"):
            if place.exists():
                (tmp_path / place.name).symlink_to(place)
    source = Path(__file__).resolve().parents[2] / "src"
    code = f"import sys; sys.path[:0] = [{str(source)!r}, {str(tmp_path)!r}]\n{WITHOUT}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seat, *words = done.stdout.splitlines()
    assert seat == "1"
    assert [word.split()[0] for word in words] == ["pettingzoo", "pettingzoo", "gymnasium"] or all(
        "pip install 'smalti[research]'" in word for word in words
    )
    assert len(words) == 3
