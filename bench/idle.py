"""Environments that do nothing: what a framework and its loop cost by themselves.

They offer and show always the same, and end after so many steps; everything else is the framework's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium
import pyspiel
from gymnasium.envs.registration import EnvSpec
from pettingzoo import AECEnv

NAME = "python_idle"


class IdleTurns(AECEnv):  # type: ignore[misc,unused-ignore]  # whether it has types depends on its version
    """For PettingZoo: the agents of another environment, its first observation for ever, and nothing behind it."""

    def __init__(self, other: Any, length: int) -> None:
        """Look at the other environment once."""
        other.reset(seed=1)
        self.possible_agents, self.seen, self.length = other.possible_agents, other.last()[0], length
        self.left = 0

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin once more."""
        self.agents, self.left = list(self.possible_agents), self.length
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """Show the same as always."""
        return self.seen

    def step(self, action: Any) -> None:
        """Count down, and let the agents leave when nothing is left."""
        if self.left == 0:
            self._was_dead_step(action)
            return
        self.left -= 1
        self.agent_selection = self.agents[self.left % len(self.agents)]
        if self.left == 0:
            self.terminations = dict.fromkeys(self.agents, True)


class IdleSeat(gymnasium.Env[Any, Any]):
    """For Gymnasium: the spaces of another environment, its first observation for ever, and nothing behind it."""

    def __init__(self, other: Any, length: int) -> None:
        """Look at the other environment once."""
        self.action_space, self.observation_space = other.action_space, other.observation_space
        self.seen, self.length, self.left = other.reset(seed=1), length, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin once more."""
        self.left = self.length
        return self.seen

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Any]:
        """Count down."""
        self.left -= 1
        seen, told = self.seen
        return seen, 0.0, self.left == 0, False, told


def idle_seat(other: Any, length: int) -> Any:
    """Let Gymnasium make one, in its wrappers but the one that would complain of always the same."""
    creator: Any = partial(IdleSeat, other, length)
    return gymnasium.make(EnvSpec("Idle-v0", entry_point=creator), disable_env_checker=True)


class IdleState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """For OpenSpiel: a state written as its examples are, with the same actions until nothing is left."""

    def __init__(self, game: Any, actions: list[int], length: int) -> None:
        """Begin."""
        super().__init__(game)
        self.actions, self.left = actions, length

    def current_player(self) -> int:
        """Let the first player act, always."""
        return 0 if self.left else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Say whether nothing is left."""
        return not self.left

    def _legal_actions(self, player: int) -> list[int]:
        """Return the same actions as always."""
        return self.actions

    def _apply_action(self, action: int) -> None:
        """Count down."""
        self.left -= 1

    def returns(self) -> list[float]:
        """Return nothing for everybody."""
        return [0.0, 0.0]


class ShortcutState(IdleState):
    """The same, with the list of actions returned in Python, past OpenSpiel's core; ours do that too."""

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the same actions as always."""
        return self.actions[:]


class IdleGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """For OpenSpiel: a game of so many steps with so many actions each."""

    def __init__(self, actions: int, length: int, has_shortcut: bool) -> None:
        """Describe it."""
        self.actions, self.length = list(range(actions)), length
        self.kind = ShortcutState if has_shortcut else IdleState
        size = pyspiel.GameInfo(actions, 0, 2, -1.0, 1.0, 0.0, length)
        super().__init__(idle_type(), size, {})

    def new_initial_state(self) -> IdleState:
        """Begin."""
        return self.kind(self, self.actions, self.length)


def idle_type() -> Any:
    """Describe a game for two in which all is known."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name=NAME,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
