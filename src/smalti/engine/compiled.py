"""The one decorator that turns a rule into machine code.

Numba's own cache does not notice an edit in *another* file and then returns old results, so the cache folder
is named by a hash of all our sources: any edit starts a new one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.extending import overload

Args = ParamSpec("Args")
Result = TypeVar("Result")

njit: Any = numba.njit  # its types do not know `_nrt`
settings: Any = numba.config

PACKAGE = Path(__file__).resolve().parent.parent


# All that rules are made of; an edit elsewhere need not start a new cache for them.
RULES = ("engine", "games")


def signature(files: Iterable[Path]) -> str:
    """Return a short hash of these files and their names."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(PACKAGE).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def source_signature() -> str:
    """Return a short hash of every Python file of the package that compiled rules could depend on."""
    return signature(file for folder in RULES for file in (PACKAGE / folder).rglob("*.py"))


def cache_home() -> Path:
    """Return the folder that holds the caches of all versions; `SMALTI_CACHE_DIR` moves it."""
    return (
        Path(os.environ.get("SMALTI_CACHE_DIR") or platformdirs.user_cache_dir("smalti", appauthor=False)) / "compiled"
    )


# A run with bounds checks compiles other code from the same sources.
CACHE = cache_home() / (source_signature() + ("-checked" if settings.BOUNDSCHECK else ""))


def is_writable(folder: Path) -> bool:
    """Say whether a folder is there, or can be made, and takes files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


# Elsewhere Numba would choose a folder itself, beside the sources, and not notice their edits there.
KEEPS_CODE = is_writable(CACHE)


@cache
def cache_of(module: str) -> Path:
    """Return the folder for the code of a module.

    Bots depend on the rules and on their own package; an edit there is theirs alone.
    """
    _, part, name, *_ = [*module.split("."), "", "", ""]
    if part != "bots":
        return CACHE
    return CACHE / f"bots-{signature((PACKAGE / part / name).rglob('*.py'))}"


one_decorates = RLock()  # the setting is everybody's, and modules may be imported in two threads at once


@contextmanager
def our_cache(module: str) -> Iterator[None]:
    """Let Numba choose our folder for what is decorated inside, and nobody else's."""
    with one_decorates:
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(cache_of(module))
        try:
            yield
        finally:
            settings.CACHE_DIR = before


def compiled(function: Callable[Args, Result]) -> Callable[Args, Result]:
    """Compile on first use, keep the machine code on disk, and release the interpreter lock while it runs.

    Compiled code works in its caller's buffers and allocates nothing, so it counts no references either
    (`_nrt`), and small functions become part of their callers instead of being handed every buffer in seven
    pieces (`forceinline`): each is worth a quarter of the speed.
    """
    with our_cache(function.__module__):
        return cast(Callable[Args, Result], njit(cache=KEEPS_CODE, nogil=True, forceinline=True, _nrt=False)(function))


def apart(function: Callable[Args, Result]) -> Callable[Args, Result]:
    """Compile a large function that many others call, once and not into each of them; calls cost a little more."""
    with our_cache(function.__module__):
        return cast(Callable[Args, Result], njit(cache=KEEPS_CODE, nogil=True, _nrt=False)(function))


def wrapping(function: Callable[Args, Result]) -> Callable[Args, Result]:
    """Compile arithmetic that is meant to overflow, about which plain Python would warn."""
    return np.errstate(over="ignore")(function) if settings.DISABLE_JIT else compiled(function)


def when_compiled(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a plain function another body for compiled code; the decorated one gets the types and returns that body."""

    def attach(body_for: Callable[..., Any]) -> Callable[..., Any]:
        body_for.__annotations__ = {}  # Numba wants the same signature as the body's, which is a lambda
        overload(function)(body_for)
        return body_for

    return attach
