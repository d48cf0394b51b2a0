"""The games for PettingZoo: seats one after the other (AEC), or all that must act at once (Parallel)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from smalti.engine.errors import shown
from smalti.research.play import Play
from smalti.research.setting import Setting
from smalti.research.spaces import ILLEGAL_MOVES, RENDER_MODES, checked_choice, masked_space, rendered

Observation = dict[str, npt.NDArray[np.int8]]


class SeatsEnv:
    """What both environments share: the game, its agents and its spaces."""

    extra_actions = 0

    def __init__(self, setting: Setting, render_mode: str | None = None, illegal: str = "end") -> None:
        """Sit down; the game starts with `reset`."""
        self.setting = setting
        self.render_mode = checked_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.illegal = checked_choice("illegal", illegal, ILLEGAL_MOVES)
        name = f"{setting.game.name}_v0"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": True, "render_fps": 2}
        self.possible_agents = [f"player_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self.play = Play(setting)
        self.actions = setting.game.actions + self.extra_actions
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: masked_space(setting, self.actions) for agent in self.possible_agents}
        self.has_reset = False

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, with its mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def start_game(self, seed: int | None) -> None:
        """Start a game."""
        self.play.start(seed)
        self.agents = list(self.possible_agents)
        self.has_reset = True

    def checked_action(self, action: Any) -> int:
        """Return an action if it is in the space."""
        known = isinstance(action, (int, np.integer)) and 0 <= action < self.actions
        assert known, f"action is not in action space: {shown(action)}; the actions are 0 to {self.actions - 1}"
        return int(action)

    def state(self) -> npt.NDArray[np.int8]:
        """Return the whole table with nothing hidden, as planes in the order of the seats."""
        if not self.has_reset:
            EnvLogger.error_state_before_reset()
        return self.play.full_observation()

    def render(self) -> Any:
        """Show the table in the mode that was chosen."""
        if not self.has_reset:
            EnvLogger.error_render_before_reset()
        return rendered(self.play, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class TurnsEnv(SeatsEnv, AECEnv[str, Observation, "int | None"]):
    """A game in which seats act one after the other; those who act at once do it in the order of their numbers."""

    rewards: dict[str, float]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the same seed gives the same game."""
        self.start_game(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.possible_agents[self.play.next]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees and may do; nothing while it need not act."""
        if not self.has_reset:
            EnvLogger.error_observe_before_reset()
        planes, mask = self.play.observe(self._seats[agent])
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is."""
        if not self.has_reset:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        then = self.play.act(self._seats[agent], self.checked_action(action), forgiving=self.illegal == "raise")
        if then < 0:
            self.end(agent)
        else:
            self.agent_selection = self.possible_agents[then]
        if self.render_mode == "human":
            self.render()

    def end(self, agent: str) -> None:
        """Reward everybody, and let the agents leave one by one."""
        self.rewards = dict(zip(self.agents, self.play.rewards([self._seats[agent]]), strict=True))
        if self.play.refusal:
            EnvLogger.warn_on_illegal_move()
            self.infos[agent]["illegal"] = str(self.play.refusal)
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


class TogetherEnv(SeatsEnv, ParallelEnv[str, Observation, int]):
    """A game in which all seats that must act do so in one step; the others wait.

    There is one action more than in the game, the last one: to wait. It is the only one allowed to those who need
    not act, and whatever they send instead is ignored.
    """

    extra_actions = 1

    def __init__(self, setting: Setting, render_mode: str | None = None, illegal: str = "end") -> None:
        """Sit down; the game starts with `reset`."""
        super().__init__(setting, render_mode, illegal)
        self.wait = setting.game.actions
        self._seen: dict[str, Observation] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start a new game; return what everybody sees."""
        self.start_game(seed)
        if self.render_mode == "human":
            self.render()
        return self.observations(), {agent: {} for agent in self.agents}

    def observations(self) -> dict[str, Observation]:
        """Return what everybody sees and may do."""
        self._seen = {agent: self.seen_by(self._seats[agent]) for agent in self.agents}
        return self._seen

    def seen_by(self, seat: int) -> Observation:
        """Return what a seat sees and may do: to wait, if nothing else."""
        planes, mask = self.play.observe(seat, more=1)
        mask[self.wait] = seat not in self.play.acting
        return {"observation": planes, "action_mask": mask}

    def step(self, actions: dict[str, int]) -> Any:
        """Play the actions of all who must act."""
        if not self.has_reset:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        chosen = {seat: self.action_of(seat, actions) for seat in self.play.acting}
        offenders = [seat for seat, action in chosen.items() if not self.may(seat, action)]
        for seat in offenders or chosen:
            self.play.act(seat, chosen[seat], forgiving=self.illegal == "raise")
        return self.outcome(offenders)

    def action_of(self, seat: int, actions: dict[str, int]) -> int:
        """Return the action of a seat that must act."""
        agent = self.possible_agents[seat]
        assert agent in actions, f"{agent} must act, and its action is missing"
        return self.checked_action(actions[agent])

    def may(self, seat: int, action: int) -> bool:
        """Say whether an action is allowed by the mask that was shown."""
        return bool(self._seen[self.possible_agents[seat]]["action_mask"][action])

    def outcome(self, offenders: list[int]) -> Any:
        """Return what a step led to, for everybody; after the end nobody is left."""
        over = self.play.next < 0
        found = self.play.rewards(offenders) if over else [0.0] * self.setting.seats
        rewards = dict(zip(self.agents, found, strict=True))
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if offenders:
            EnvLogger.warn_on_illegal_move()
            infos[self.possible_agents[offenders[0]]]["illegal"] = str(self.play.refusal)
        ends, cuts = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False)
        step = (self.observations(), rewards, ends, cuts, infos)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return step
