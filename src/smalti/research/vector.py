"""Thousands of games stepped together: arrays in, arrays out, no Python loop over the games.

Every game shows the seat that is to act next; a game that ends starts anew in the same step. Game number i of a batch
seeded with s is the game that a single environment plays after `reset(seed=s + i)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from smalti.engine.errors import BadInput, shown
from smalti.engine.loops import batching, stepping
from smalti.engine.loops.batching import Batch, Lanes
from smalti.engine.loops.stepping import Parts
from smalti.engine.match import Match
from smalti.engine.rules import SLACK
from smalti.research.array_pool import ArrayPool
from smalti.research.opponents import HOUSE, Opponents, checked_seat, kinds, seated
from smalti.research.setting import LONGEST_SEED, checked_seed, seeded_stream, setting
from smalti.research.spaces import observation_space

Array = npt.NDArray[Any]
MOST_GAMES = 1 << 24
NOTHING_KNOWN: tuple[Batch | None, Parts] = (None, ())
LUCK = 0x9E3779B97F4A7C15  # parts the random numbers of `sample` from those of the games


class GamesEnv(VectorEnv[Array, Array, Array]):
    """Many games of one setting. Without opponents every seat is played from outside, each in its turn.

    `step` returns the observation of the seat that is next in each game, the reward of the seat that acted, and in
    the infos the `action_mask`, the `seat` that is next and the `rewards` of all seats.
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        games: int = 1024,
        seed: int | None = None,
        *,
        opponents: Opponents | None = None,
        seat: int = 0,
        rewards: str | None = None,
        start: Match | None = None,
        **options: str,
    ) -> None:
        """Lay out the tables; the games start with `reset`."""
        self.setting = setting(game, players, rewards=rewards, start=start, options=options)
        self.num_envs = checked_count(games)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(self.setting)
        self.single_action_space = spaces.Discrete(self.setting.game.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        players_of = None if opponents is None else self.house(opponents, seat, start)
        self._buffers = stepping.step_buffers(self.setting.game, self.setting.seats, players_of)
        self._lanes = self.lanes()
        self._start, self._parts = self.setting.starts(), (tuple(self._lanes), tuple(self._buffers))
        self._pool, self._known = ArrayPool(), NOTHING_KNOWN
        self._luck = np.zeros(self.num_envs, np.uint64)  # of `sample`
        self._everyone = np.ones(self.num_envs, np.bool_)
        self._seed, self._begun = seed, False

    def house(self, opponents: Opponents, seat: int, start: Match | None) -> list[int]:
        """Return who plays each seat; many games at once can only be played by the house."""
        seating = seated(opponents, checked_seat(seat, self.setting.seats), self.setting.seats)
        if any(callable(player) for player in seating):
            raise BadInput(f"opponents of many games are known by name: {', '.join(HOUSE)}; not functions")
        if start is not None:
            raise BadInput("a start cannot have opponents here: the games might end before one's seat acts")
        return kinds(seating)

    def lanes(self) -> Lanes:
        """Return room for the games."""
        count, game = self.num_envs, self.setting.game
        return Lanes(
            tables=game.table.batch(count),
            streams=np.zeros(count, np.uint64),
            seats=np.zeros(count, np.int8),
            lists=np.zeros((count, game.most_moves + SLACK), np.int32),
            counts=np.zeros(count, np.int32),
        )

    # --- Buffers

    @cached_property
    def buffer_types(self) -> dict[str, tuple[tuple[int, ...], npt.DTypeLike]]:
        """The shape and the type of every buffer."""
        games, seats = (self.num_envs,), self.setting.seats
        return {
            "observation": (games + self.setting.shape, np.int8),
            "action_mask": ((*games, self.setting.game.actions), np.int8),
            "seat": (games, np.int8),
            "reward": (games, np.float32),
            "rewards": ((*games, seats), np.float32),
            "terminated": (games, np.bool_),
            "illegal": (games, np.bool_),
            "final": (games + self.setting.shape, np.int8),
        }

    def buffers(self) -> Batch:
        """Return new arrays for everything a step writes; give them to `reset` and `step` as `out`."""
        return Batch(**{name: np.empty(*kind) for name, kind in self.buffer_types.items()})

    def ready(self, out: Batch | None) -> tuple[Batch, Parts]:
        """Return the caller's buffers or new ones, and the same as compiled code takes them."""
        if out is None:
            new = {name: self.new_array(name, *kind) for name, kind in self.buffer_types.items()}
            return Batch(**new), self.flat(Batch(**new))
        if out is not self._known[0]:
            self._known = out, self.checked(out)
        return out, self._known[1]

    def new_array(self, name: str, shape: tuple[int, ...], kind: npt.DTypeLike) -> Array:
        """Return a new array; the large ones from the pool."""
        is_large = name in ("observation", "action_mask", "final")
        return self._pool.array(shape, kind) if is_large else np.empty(shape, kind)

    def flat(self, batch: Batch) -> Parts:
        """Return buffers as compiled code takes them, with flat observations."""
        shape = (self.num_envs, -1)
        return tuple(batch._replace(observation=batch.observation.reshape(shape), final=batch.final.reshape(shape)))

    def checked(self, out: Batch) -> Parts:
        """Return the caller's buffers as compiled code takes them, if they have the right shapes and types."""
        for name, (shape, kind) in self.buffer_types.items():
            array: Any = getattr(out, name, None)
            fits = isinstance(array, np.ndarray) and array.dtype == kind and array.shape == shape
            if not (fits and array.flags.c_contiguous and array.flags.writeable):
                raise BadInput(
                    f"{name} has to be a contiguous array of {np.dtype(kind)} of shape {shape}; see buffers()"
                )
        return self.flat(out)

    # --- Playing

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Any = None, out: Batch | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start all games anew; a seed is one number, or one for each game."""
        batch, parts = self.ready(out)
        self.seed_all(self._seed if seed is None and not self._begun else seed)
        lanes, buffers = self._parts
        batching.start_all(self._start, lanes, buffers)
        batching.observe_all(lanes, buffers, parts)
        for array in (batch.reward, batch.rewards, batch.terminated, batch.illegal):
            array[...] = 0
        self._begun = True
        return batch.observation, self.infos(batch)

    def seed_all(self, seed: int | Sequence[int | None] | None) -> None:
        """Start the games' random numbers; without a seed they go on, or cannot be foreseen."""
        if seed is None and self._begun:
            return
        for game, number in enumerate(self.seeds(seed)):
            self._lanes.streams[game] = seeded_stream(number)[0]
            self._luck[game] = seeded_stream(None if number is None else (number + 1) * LUCK % LONGEST_SEED)[0]

    def seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """Return a seed for each game."""
        if seed is None or isinstance(seed, (int, np.integer)):
            return [None if seed is None else checked_seed(seed + game) for game in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadInput(f"there are {self.num_envs} games and {len(seed)} seeds")
        return [None if number is None else checked_seed(number) for number in seed]

    def step(self, actions: Array, out: Batch | None = None) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play one action in every game."""
        self.check_begun()
        batch, parts = self.ready(out)
        lanes, buffers = self._parts
        batching.act_all(lanes, self.checked_actions(actions), buffers, parts)
        batching.end_all(self._start, lanes, self.setting.kind, self.setting.penalty, buffers, parts)
        batching.observe_all(lanes, buffers, parts)
        truncated = np.zeros(self.num_envs, np.bool_)  # every game ends by its rules
        return batch.observation, batch.reward, batch.terminated, truncated, self.infos(batch)

    def check_begun(self) -> None:
        """Refuse to go on before the start."""
        if not self._begun:
            raise error.ResetNeeded("the games have not begun: call reset() first")

    def checked_actions(self, actions: Any) -> npt.NDArray[np.int64]:
        """Return the actions as whole numbers, one for each game."""
        found = np.asarray(actions)
        if found.shape != (self.num_envs,) or not np.issubdtype(found.dtype, np.integer):
            raise error.InvalidAction(
                f"expected {self.num_envs} whole numbers, one for each game; not {found.dtype} of shape {found.shape}"
            )
        return np.ascontiguousarray(found, np.int64)

    def infos(self, batch: Batch) -> dict[str, Any]:
        """Return what else is known, with Gymnasium's marks of which games it is known of."""
        ended = batch.terminated
        found: dict[str, Any] = {
            "action_mask": batch.action_mask,
            "seat": batch.seat,
            "rewards": batch.rewards,
            "illegal": batch.illegal,
        }
        found |= {f"_{name}": self._everyone for name in found}
        return found | {"final_obs": batch.final, "_final_obs": ended} if ended.any() else found

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a legal action for every game, each equally likely."""
        self.check_begun()
        actions = np.empty(self.num_envs, np.int64)
        batching.sample_all(self._lanes.lists, self._lanes.counts, self._luck, actions)
        return actions

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return what the next seat of every game may do."""
        self.check_begun()
        masks = np.zeros((self.num_envs, self.setting.game.actions), np.bool_)
        for mask, moves, count in zip(masks, self._lanes.lists, self._lanes.counts, strict=True):
            mask[moves[:count]] = True
        return masks


def checked_count(games: Any) -> int:
    """Return a number of games if there can be so many."""
    if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or not 1 <= games <= MOST_GAMES:
        raise BadInput(f"games is a whole number from 1 to {MOST_GAMES}, not {shown(games)}")
    return int(games)


def seat_vector(num_envs: int = 1, opponents: Opponents = "random", **arguments: Any) -> GamesEnv:
    """Return many games seen from one seat, as `gymnasium.make_vec` asks for them."""
    return GamesEnv(games=num_envs, opponents=opponents, **arguments)
