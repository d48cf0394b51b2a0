"""Checkpoints: everything a training needs to go on, in one file that is either whole or not there."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smalti.bots.learner import State
from smalti.engine.errors import BadInput, shown

FORMAT = "smalti-training/1"
ABOUT, STATE = "about", "state."


class Checkpoint(NamedTuple):
    """A training as it was: facts about it, and what the learner needs."""

    facts: dict[str, Any]
    state: State


def save(path: Path, facts: dict[str, Any], state: State) -> None:
    """Write a checkpoint, all of the file or nothing."""
    about = np.frombuffer(json.dumps({"format": FORMAT, **facts}).encode(), np.uint8)
    half_written = path.with_name(path.name + ".part")
    with half_written.open("wb") as file:
        np.savez(file, allow_pickle=False, **{ABOUT: about}, **{STATE + name: part for name, part in state.items()})
    half_written.replace(path)


def load(path: Path, game: str, name: str, version: int) -> Checkpoint:
    """Read a checkpoint of this game's learner; say in one line what is wrong with it."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            facts = json.loads(file[ABOUT].tobytes())
            state = {part.removeprefix(STATE): file[part] for part in file.files if part.startswith(STATE)}
        found = facts["format"], facts["game"], facts["name"], facts["version"]
    except FileNotFoundError:
        raise BadInput(f"there is no checkpoint {shown(str(path))}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise BadInput(f"{shown(str(path))} is not a checkpoint of a training, or a damaged one") from None
    if found[:3] != (FORMAT, game, name):
        raise BadInput(f"{shown(str(path))} is a checkpoint of {shown(found[1])}, not of {game}")
    if found[3] != version:
        raise BadInput(f"{shown(str(path))} is of version {found[3]} of the features; they are at {version} now")
    return Checkpoint(facts, state)
