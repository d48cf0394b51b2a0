"""Weights: what bots have learned, kept as compressed arrays of whole numbers, with what they are and a checksum."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.engine.errors import SmaltiError

FORMAT = 1
SHIPPED = Path(__file__).resolve().parent / "weights"
ABOUT = "about"
FACTS = {"format", "name", "version", "digest"}
DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, zlib.error, zipfile.BadZipFile)

Arrays = Mapping[str, npt.NDArray[Any]]


class NoWeights(SmaltiError):
    """There are no weights to play with."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"the weights of {name} {what}; install smalti again, or make them with `smalti train`")


def digest(arrays: Arrays) -> str:
    """Return a checksum of arrays and their names."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        found.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        found.update(np.ascontiguousarray(arrays[name]).tobytes())
    return found.hexdigest()


def save(path: Path, arrays: Arrays, name: str, version: int, **facts: Any) -> None:
    """Write weights, all of the file or nothing; `version` says which features they belong to."""
    about = {"format": FORMAT, "name": name, "version": version, "digest": digest(arrays), **facts}
    note = np.frombuffer(json.dumps(about).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    half_written = path.with_suffix(".part")
    with half_written.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{ABOUT: note}, **arrays)
    half_written.replace(path)


def opened(path: Path, name: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Read what a file says about its weights, and the weights; whatever is no such file raises `NoWeights`."""
    try:
        with path.open("rb") as whole, np.load(whole, allow_pickle=False) as file:
            arrays = {part: file[part] for part in file.files}
        about: dict[str, Any] = json.loads(arrays.pop(ABOUT).tobytes())
        if not about.keys() >= FACTS:
            raise ValueError("they do not say what they are")
    except FileNotFoundError:
        raise NoWeights(name, f"are missing: there is no {path.name}") from None
    except DAMAGE as error:
        raise NoWeights(name, f"are damaged ({error})") from None
    return about, arrays


def read(path: Path, name: str, version: int) -> dict[str, npt.NDArray[Any]]:
    """Read weights; whatever is wrong with them raises `NoWeights`."""
    about, arrays = opened(path, name)
    found = about["format"], about["name"], about["version"]
    if found != (FORMAT, name, version):
        raise NoWeights(name, f"are of another version: {found} instead of {(FORMAT, name, version)}")
    if digest(arrays) != about["digest"]:
        raise NoWeights(name, "are damaged: the checksum is another")
    return arrays


@cache
def shipped(name: str, version: int) -> dict[str, npt.NDArray[Any]]:
    """Return the weights that came with the package; read once."""
    return read(SHIPPED / f"{name}.npz", name, version)


def about_shipped(name: str) -> dict[str, Any]:
    """Return what the weights of the package say about themselves: games, seed, how well they play, the curve."""
    return opened(SHIPPED / f"{name}.npz", name)[0]
