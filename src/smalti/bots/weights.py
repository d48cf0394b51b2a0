"""Weights: what bots have learned, kept as compressed arrays of whole numbers, with what they are and a checksum."""

from __future__ import annotations

import hashlib
import json
import zipfile
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


def read(path: Path, name: str, version: int) -> dict[str, npt.NDArray[Any]]:
    """Read weights; whatever is wrong with them raises `NoWeights`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {part: file[part] for part in file.files}
        about = json.loads(arrays.pop(ABOUT).tobytes())
        found = about["format"], about["name"], about["version"]
        right = about["digest"]
    except FileNotFoundError:
        raise NoWeights(name, f"are missing: there is no {path.name}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise NoWeights(name, f"are damaged ({error})") from None
    if found != (FORMAT, name, version):
        raise NoWeights(name, f"are of another version: {found} instead of {(FORMAT, name, version)}")
    if digest(arrays) != right:
        raise NoWeights(name, "are damaged: the checksum is another")
    return arrays


@cache
def shipped(name: str, version: int) -> dict[str, npt.NDArray[Any]]:
    """Return the weights that came with the package; read once."""
    return read(SHIPPED / f"{name}.npz", name, version)
