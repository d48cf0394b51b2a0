"""Spaces and modes that the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from smalti.engine.errors import BadInput, shown
from smalti.research.play import Play
from smalti.research.setting import Setting

RENDER_MODES = ("human", "ansi", "rgb_array")
ILLEGAL_MOVES = ("end", "raise")


def checked_choice(name: str, value: Any, known: tuple[Any, ...]) -> Any:
    """Return a value if it is one of those there are."""
    if value not in known:
        raise BadInput(f"{name} is one of {', '.join(map(str, known))}; not {shown(value)}")
    return value


def observation_space(setting: Setting) -> Any:
    """Return the space of the planes."""
    return spaces.Box(np.zeros(setting.shape, np.int8), setting.tops, dtype=np.int8)


def masked_space(setting: Setting, actions: int) -> spaces.Dict:
    """Return the space of an observation with its mask."""
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observation_space(setting), "action_mask": mask})


def rendered(play: Play, mode: str | None) -> Any:
    """Show the table in a mode: as text, printed or returned, or as a picture."""
    if mode is None:
        gymnasium.logger.warn("render() shows nothing: choose a render_mode, for example 'ansi', when making it.")
        return None
    if mode == "human":
        print(play.text(), end="\n\n")
        return None
    return play.text() if mode == "ansi" else play.picture()
