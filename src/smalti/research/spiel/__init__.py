"""The games as OpenSpiel has them: `python_smalti_mosaix`, `python_smalti_mozaika`, `python_smalti_patterns`.

    import pyspiel, smalti.research

    game = pyspiel.load_game("python_smalti_mosaix(players=3,cards=scattered)")
    state = game.new_initial_state()

Every random event is a chance node, and seats that act together do so at a simultaneous node. Parameters:

    players    how many play; 1 is solo Mosaix
    rewards    what a game is worth: outcome, margin or points; outcome if not given, solo points
    start      where it begins: the moves that lead there, as text; `after` makes a game that goes on from a match
    limit      after how many decisions it is cut off and scored as the boards stand, for small games; 0 is never
    rules      the version of the rules; 0 is the newest

and the options of the game by their names. OpenSpiel's searches in Python play these games; its compiled `MCTSBot`
crashes on every game written in Python, its own ones too. Positions are in `nodes`, what is seen of them in
`observer`, starts in `start`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pyspiel

from smalti import games
from smalti.engine.errors import SmaltiError, shown
from smalti.engine.game import Game
from smalti.engine.loops.nodes import EVERYTHING
from smalti.engine.match import Match
from smalti.engine.rules import NOBODY
from smalti.research.setting import Setting, fewest
from smalti.research.spiel.nodes import TERMINAL, TOGETHER, GameTree, Request, tree_of
from smalti.research.spiel.observer import Observer, drawing, observer_for
from smalti.research.spiel.start import start_text

Kinds = pyspiel.GameType


def register() -> None:
    """Make all games known to OpenSpiel; once more does no harm."""
    for game in games.everyone():
        pyspiel.register_game(game_type(tree_for(game, defaults(game))), class_of(game))


def after(match: Match, rewards: str | None = None, limit: int = 0) -> Any:
    """Return the game that goes on from where a match stands."""
    parameters = {"players": match.seats, "start": start_text(match), "rewards": rewards or "", "limit": limit}
    parameters["rules"] = 0 if match.game is games.find(match.game.name) else match.game.version
    return pyspiel.load_game(short_name(match.game), parameters | dict(match.options))


@cache
def class_of(game: Game) -> type[SpielGame]:
    """Return the class OpenSpiel makes this game with; anything but a class would crash it when Python ends."""
    return type(f"Spiel{game.name.title()}", (SpielGame,), {"game": game})


def short_name(game: Game) -> str:
    """Return the name OpenSpiel knows a game by."""
    return f"python_smalti_{game.name}"


def defaults(game: Game) -> dict[str, int | str]:
    """Return the parameters of a game with their values if nothing is said."""
    options = {name: values[0] for name, values in game.options.items()}
    return {"players": fewest(game), "rewards": "", "start": "", "limit": 0, "rules": 0, **options}


def tree_for(game: Game, parameters: Mapping[str, Any]) -> GameTree:
    """Return the tree of a game with these parameters; raises what OpenSpiel raises."""
    options = tuple((name, parameters[name]) for name in game.options)
    others = {name: parameters[name] for name in ("players", "rewards", "start", "limit", "rules")}
    try:
        return tree_of(Request(game.name, options=options, **others))
    except SmaltiError as error:
        raise pyspiel.SpielError(str(error)) from None


# --- What OpenSpiel wants to know of a game


def is_zero_sum(setting: Setting) -> bool:
    """Say whether the rewards of a game add up to nothing."""
    return setting.seats > 1 and setting.rewards != "points"


def game_type(tree: GameTree) -> Any:
    """Describe the game as it is with these parameters."""
    game, setting = tree.game, tree.setting
    hides, together = tree.has_secrets, tree.acts_together
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=Kinds.Dynamics.SIMULTANEOUS if together else Kinds.Dynamics.SEQUENTIAL,
        chance_mode=Kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=Kinds.Information.IMPERFECT_INFORMATION if hides else Kinds.Information.PERFECT_INFORMATION,
        utility=Kinds.Utility.ZERO_SUM if is_zero_sum(setting) else Kinds.Utility.GENERAL_SUM,
        reward_model=Kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=defaults(game),
    )


def game_info(tree: GameTree) -> Any:
    """Return how large the game is."""
    setting = tree.setting
    return pyspiel.GameInfo(
        num_distinct_actions=tree.actions,
        max_chance_outcomes=tree.top - tree.actions,
        num_players=setting.seats,
        min_utility=setting.worst,
        max_utility=setting.best,
        utility_sum=0.0 if is_zero_sum(setting) else None,
        max_game_length=tree.limit,
    )


class SpielGame(pyspiel.Game):
    """A game with its parameters, from which states and observers are made."""

    game: Game

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Check the parameters; only those that differ from the defaults are passed on."""
        usual = defaults(self.game)
        self.tree = tree_for(self.game, parameters)
        given = {name: value for name, value in parameters.items() if value != usual[name]}
        super().__init__(game_type(self.tree), game_info(self.tree), given)

    def new_initial_state(self) -> SpielState:
        """Return the state in which the game begins."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how often chance can play."""
        return self.tree.most_chance

    def observation_tensor_shape(self) -> list[int]:
        """Return planes, rows and columns; OpenSpiel itself would give only how many numbers these are."""
        return list(self.tree.setting.shape)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return who observes states; OpenSpiel gives the parameters first when it leaves the type out."""
        if isinstance(iig_obs_type, dict):
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise pyspiel.SpielError(f"observers of {self.game.name} take no parameters, not {sorted(params)}")
        return observer_for(self.tree, iig_obs_type)

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the text that loads this game."""
        return pyspiel.load_game, (str(self),)


class SpielState(pyspiel.State):
    """A game being played: the node it stands at.

    OpenSpiel keeps the history; what it asks for by names with an underscore, others ask for without one.
    """

    def __init__(self, game: SpielGame) -> None:
        """Stand where the game begins."""
        super().__init__(game)
        self.node = game.tree.first

    def current_player(self) -> int:
        """Return who acts: a seat, chance, several together, or the end."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self.node.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Say whether chance acts."""
        return self.node.player == NOBODY

    def is_simultaneous_node(self) -> bool:
        """Say whether several seats act together."""
        return self.node.player == TOGETHER

    def legal_actions(self, player: int | None = None) -> list[int]:
        """List the actions of a player, or of the one who acts, in ascending order."""
        node = self.node
        if node.player == NOBODY:
            return [action for action, _ in node.outcomes()]
        if node.player == TERMINAL:
            return []
        return self._legal_actions(node.player if player is None else player)[:]

    def _legal_actions(self, player: int) -> list[int]:
        """Return the actions of a seat, none unless it must act."""
        if player < 0:
            raise pyspiel.SpielError(f"player {player} is no seat; where several act together, ask for one of them")
        return self.node.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List what chance can do and how probable it is."""
        if self.node.player != NOBODY:
            raise pyspiel.SpielError("chance does not act here")
        return self.node.outcomes()[:]

    def _apply_action(self, action: int) -> None:
        """Go on after the action of the one who acts."""
        try:
            self.node = self.node.after(action)
        except SmaltiError as error:
            raise pyspiel.SpielError(str(error)) from None

    def _apply_actions(self, actions: list[int]) -> None:
        """Go on after the actions of all who act together, given for every player."""
        try:
            self.node = self.node.after_all(actions)
        except SmaltiError as error:
            raise pyspiel.SpielError(str(error)) from None

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of an action."""
        tree = self.node.tree
        first, top = (tree.actions, tree.top) if player == NOBODY else (0, tree.actions)
        if not 0 <= action < top - first:
            raise pyspiel.SpielError(f"there is no action {action}; the actions are 0 to {top - first - 1}")
        return tree.game.text(first + action)

    def string_to_action(self, *arguments: Any) -> int:
        """Return the action that has this text: of a player, or, given the text alone, of the one who acts."""
        player, text = arguments if len(arguments) == 2 else (self.node.player, *arguments)
        for action in self.legal_actions(player):
            if self._action_to_string(player, action) == text:
                return action
        raise pyspiel.SpielError(f"player {player} cannot do {shown(text)} now")

    def returns(self) -> list[float]:
        """Return what the game was worth to each seat; nothing before its end."""
        return self.node.returns()

    def __str__(self) -> str:
        """Draw the whole table, and name who must act."""
        return "\n".join(drawing(self.node, EVERYTHING))
