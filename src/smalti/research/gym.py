"""The games for Gymnasium: one seat, alone or against opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from smalti import games
from smalti.engine.errors import BadInput, shown
from smalti.engine.match import Match
from smalti.research.opponents import Opponents, checked_seat, kinds, seated
from smalti.research.play import Play
from smalti.research.setting import fewest, setting
from smalti.research.spaces import ILLEGAL_MOVES, RENDER_MODES, checked_choice, observation_space, rendered

Observation = npt.NDArray[np.int8]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A game seen from one seat; the other seats are played by opponents.

    An opponent is "random", "greedy" or a function that takes an observation and its mask and returns an action;
    `opponents` is one for all other seats, or a list of one for each.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium wants it

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: Opponents = "random",
        seat: int = 0,
        *,
        rewards: str | None = None,
        illegal: str = "end",
        render_mode: str | None = None,
        start: Match | None = None,
        **options: str,
    ) -> None:
        """Sit down; the game starts with `reset`."""
        self.setting = setting(game, players, rewards=rewards, start=start, options=options)
        self.seat = checked_seat(seat, self.setting.seats)
        self.seating = seated(opponents, self.seat, self.setting.seats)
        self.illegal = checked_choice("illegal", illegal, ILLEGAL_MOVES)
        self.render_mode = checked_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.play = Play(self.setting, kinds(self.seating))
        self.observation_space = observation_space(self.setting)
        self.action_space = spaces.Discrete(self.setting.game.actions)
        self._mask = np.zeros(self.setting.game.actions, np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Start a new game and play it until it is this seat's turn; the same seed gives the same game."""
        super().reset(seed=seed)
        self.play.start(seed)
        self.let_others_play()
        if self.play.next < 0:
            raise BadInput(f"from this start on the game can end before seat {self.seat} acts")
        if self.render_mode == "human":
            self.render()
        return self.observation()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then let the others play until it is this seat's turn again."""
        if self.play.next < 0:
            raise gymnasium.error.ResetNeeded("the game is over, or has not begun: call reset() first")
        self.play.act(self.seat, self.checked_action(action), forgiving=self.illegal == "raise")
        refusal = self.play.refusal
        if not refusal:
            self.let_others_play()
        over = self.play.next < 0
        reward = self.play.rewards([self.seat])[self.seat] if over else 0.0
        observation, found = self.observation()
        if refusal:
            found["illegal"] = str(refusal)
        if self.render_mode == "human":
            self.render()
        return observation, reward, over, False, found

    def checked_action(self, action: Any) -> int:
        """Return an action if it is in the space."""
        actions = self.setting.game.actions
        if not isinstance(action, (int, np.integer)) or isinstance(action, bool) or not 0 <= action < actions:
            raise gymnasium.error.InvalidAction(f"an action is a number from 0 to {actions - 1}, not {shown(action)}")
        return int(action)

    def observation(self) -> tuple[Observation, dict[str, Any]]:
        """Return what this seat sees, and the mask of what it may do."""
        observation, self._mask = self.play.observe(self.seat)
        return observation, {"action_mask": self._mask}

    def let_others_play(self) -> None:
        """Ask the opponents that are functions, until it is this seat's turn; the house has played already."""
        while self.play.next >= 0 and self.play.next != self.seat:
            seat = self.play.next
            opponent: Any = self.seating[seat]
            self.play.act(seat, int(opponent(*self.play.observe(seat))), forgiving=True)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return what this seat may do, as stable-baselines wants it."""
        return self._mask.astype(bool)

    def render(self) -> Any:
        """Show the table in the mode that was chosen."""
        return rendered(self.play, self.render_mode)


def names() -> dict[str, dict[str, Any]]:
    """Return the ids of all environments, with what they are made of."""
    found: dict[str, dict[str, Any]] = {}
    for game in games.everyone():
        found[f"Smalti/{game.name.capitalize()}-v0"] = {"game": game.name, "players": fewest(game)}
        if 1 in game.seats:
            found[f"Smalti/{game.name.capitalize()}Solo-v0"] = {"game": game.name, "players": 1}
    return found


def register() -> None:
    """Make the games known to Gymnasium."""
    for name, arguments in names().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="smalti.research.gym:SeatEnv",
                vector_entry_point="smalti.research.vector:seat_vector",
                kwargs=arguments,
            )
