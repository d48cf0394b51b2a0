"""The bots: opponents for every game, all behind one interface.

A bot gets the bytes of the table as its seat may see it, and answers with the text of a move. Bots are found by
looking at the modules of this package: whatever stands in a module's `BOTS` can play, so a new bot is a new file.
Read `bot`, then `plain` (every game), then the packages of those that know a game.

Compiled code of a game's package may use that package, the games and the engine, and nothing else: the cache would
not notice an edit there.
"""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType

from smalti import games
from smalti.bots.bot import UNLIMITED, Bot, Budget, Seen, Thought, read_budget
from smalti.bots.weights import NoWeights
from smalti.engine.errors import BadInput, shown
from smalti.engine.match import Match
from smalti.engine.record import bytes_of

logger = logging.getLogger(__name__)
BRIEF = Budget(seconds=0.01)  # enough to look ahead a little
LONG_THINKERS = ("level-7", "level-8")  # ignore budgets, and think with the code of the strongest
QUICK = 0.1  # of the effort of the strongest level: who takes no more answers at once


@cache
def everyone() -> tuple[Bot, ...]:
    """Return all bots that the modules of this package offer, the weakest first."""
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return tuple(sorted((bot for module in modules for bot in getattr(module, "BOTS", ())), key=lambda bot: bot.rank))


@cache
def players(game: str) -> dict[str, Bot]:
    """Return the bots of a game by name, the weakest first; one that knows the game replaces one for any game."""
    known = [bot for bot in everyone() if bot.game in ("", games.find(game).name)]
    special = {bot.name for bot in known if bot.game}
    return {bot.name: bot for bot in known if bot.game or bot.name not in special}


def names(game_name: str) -> list[str]:
    """List the bots that can play a game, from the weakest to the strongest."""
    return list(players(game_name))


def offered(game: str) -> list[str]:
    """List the bots that people can choose, from the weakest to the strongest: the levels."""
    return [name for name in names(game) if name.startswith("level-")] or names(game)


def stand_in(game: str) -> str:
    """Return the bot that plays for a person if nobody has agreed on another one: of middling strength."""
    levels = offered(game)
    return levels[(len(levels) - 1) // 2]


def strongest(game: str) -> str:
    """Return the strongest bot of a game."""
    return names(game)[-1]


def own_part(game: str, part: str) -> ModuleType | None:
    """Return a module of the package that knows a game, such as `review`; a game need not have either."""
    package = f"{__name__}.{game}"
    has_part = find_spec(package) and find_spec(f"{package}.{part}")
    return import_module(f"{package}.{part}") if has_part else None


def find(bot: str, game: str) -> Bot:
    """Return the bot of that name for a game; a budget may stand behind the name, as in mcts@0.2s or mcts@1000n."""
    known, (name, at, budget) = players(game), bot.partition("@")
    if name not in known:
        raise BadInput(f"there is no bot {shown(name)} for {game}; there are: {', '.join(known)}")
    return replace(known[name], name=bot, budget=read_budget(budget)) if at else known[name]


def is_quick(bot: str, game: str) -> bool:
    """Say whether a bot answers at once: it uses no budget up, and looks at far less than the strongest level."""
    player, most = find(bot, game), max(other.effort for other in players(game).values())
    return player.budget == UNLIMITED and player.effort <= QUICK * most


def choose(bot: str, game: str, seen: bytes, seat: int, seed: int) -> str:
    """Return the text of the move that a bot plays for a seat, given the table as that seat sees it.

    The same arguments always give the same move. One seed will do for a whole match: it is mixed with the table.
    """
    sight = Seen(games.find(game), seen, seat, seed)
    return sight.game.text(think(bot, sight).move)


def think(bot: str, seen: Seen) -> Thought:
    """Let a bot think about a table within its budget; without its weights the next weaker one takes its place."""
    player = find(bot, seen.game.name)
    while True:
        try:
            return player.think(seen, player.budget)
        except NoWeights as problem:
            stand_in = weaker(player, seen.game.name)
            warn_once(player.name, stand_in.name, seen.game.name, str(problem))
            player = stand_in


@cache
def warn_once(bot: str, stand_in: str, game: str, problem: str) -> None:
    """Log, once in a process, that a bot cannot play and which one does instead."""
    logger.warning("%s cannot play %s, %s plays instead: %s", bot, game, stand_in, problem)


def weaker(bot: Bot, game: str) -> Bot:
    """Return the next weaker bot for a game."""
    return [other for other in players(game).values() if other.rank < bot.rank][-1]


def warm(game: str) -> None:
    """Load or compile all that the bots of a game need, by asking each of them once for every kind of move."""
    for _ in warming(game):
        pass


def warming(game: str) -> Iterator[None]:
    """Do what `warm` does in small steps, so that more urgent work can come between them."""
    seats = games.find(game).seats
    for count in sorted({seats[0], seats[-1]}, reverse=True):
        yield from ask_everybody(game, count)


def ask_everybody(game: str, seats: int) -> Iterator[None]:
    """Let every bot choose whenever there is a kind of move not met before, and the strongest one whenever it acts.

    It plays the whole game, because endings have code of their own, and boards filled at random do not come to them.
    """
    match, luck, met, best = Match(games.find(game), seats), Random(0), set[str](), strongest(game)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
            continue
        seat = min(match.acting)
        seen = Seen(match.game, bytes_of(match.seen_by(seat)), seat, 0)
        verbs = {text.partition(" ")[0] for text in match.legal(seat)}
        for bot in names(game) if verbs - met else ():
            think_briefly(bot, seen)
            yield
        met |= verbs
        thought = think_briefly(best, seen)
        match.play(seat, thought.move if thought else luck.choice(match.legal_moves(seat)))
        yield


def think_briefly(bot: str, seen: Seen) -> Thought | None:
    """Let a bot think very briefly, so that its code is compiled when it is needed."""
    with suppress(NoWeights):
        return None if bot in LONG_THINKERS else find(bot, seen.game.name).think(seen, BRIEF)
    return None
