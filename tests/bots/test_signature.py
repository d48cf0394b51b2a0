"""How every bot behaves, one number for each game and bot: fixed searches by nodes on fixed tables."""

from __future__ import annotations

import zlib

import pytest

from smalti import bots, games
from tests.bots.tables import SETTINGS, Setting, everybody, seen_by, table_after

SIGNATURES: dict[str, dict[str, int]] = {
    "mosaix": {
        "random": 1887646034,
        "level-1": 2580624603,
        "level-2": 2127262022,
        "greedy": 636874782,
        "level-3": 862474413,
        "level-4": 1234678702,
        "search": 3141544398,
        "level-5": 3936051052,
        "mcts@100n": 3639903487,
        "level-6": 2563475168,
        "level-7": 1260597579,
        "level-8": 1847592605,
        "strongest@300n": 4293598472,
    },
    "mozaika": {
        "random": 1772632705,
        "level-1": 589249660,
        "level-2": 272472651,
        "greedy": 2980256670,
        "level-3": 650952433,
        "level-4": 3153097532,
        "search": 3944240311,
        "level-5": 468121351,
        "mcts@100n": 3676877426,
        "level-6": 2936399050,
        "level-7": 1791823553,
        "level-8": 3966076442,
        "strongest@300n": 4156971119,
    },
    "patterns": {
        "random": 1150159728,
        "level-1": 3006465567,
        "level-2": 586014638,
        "greedy": 3423841044,
        "level-3": 1033240485,
        "level-4": 3131739457,
        "search": 3662266467,
        "level-5": 3278318792,
        "mcts@100n": 3757386576,
        "level-6": 2312484557,
        "level-7": 3286788794,
        "level-8": 3801703450,
        "strongest@300n": 3280434305,
    },
}

EVENTS = (4, 15)

CHANGED = """these bots behave differently: {changed}.

If that was meant, write their numbers into SIGNATURES in {file}, and say in the commit's message that they do, and why:
{numbers}
If it was not, something that only should have become faster or tidier plays other moves. What they do now:
{lines}"""


@pytest.fixture(autouse=True)
def short_thoughts() -> None:
    """Let everybody think as in earnest."""


def behaviour(setting: Setting, bot: str) -> list[str]:
    """List what a bot plays on tables of a kind, and how many tables it looked at for that."""
    found = []
    for events in EVENTS:
        match = table_after(setting, events)
        thought = bots.think(bot, seen_by(match, min(match.acting)))
        found.append(f"{setting} {events} {bot}: {match.game.text(thought.move)} {thought.nodes}")
    return found


def test_every_game_and_bot_has_a_signature() -> None:
    assert {game: list(known) for game, known in SIGNATURES.items()} == {
        game: everybody(game) for game in games.names()
    }


@pytest.mark.parametrize("game", games.names())
def test_bots_behave_as_they_did(game: str) -> None:
    settings = [setting for setting in SETTINGS if setting.game == game]
    lines = {bot: [line for setting in settings for line in behaviour(setting, bot)] for bot in everybody(game)}
    numbers = {bot: zlib.crc32("\n".join(played).encode()) for bot, played in lines.items()}
    changed = [bot for bot in numbers if numbers[bot] != SIGNATURES[game].get(bot)]
    assert not changed, CHANGED.format(
        changed=", ".join(f"{bot} in {game}" for bot in changed),
        file=__name__,
        numbers="\n".join(f'    "{bot}": {numbers[bot]},' for bot in changed),
        lines="\n".join(f"    {line}" for bot in changed for line in lines[bot]),
    )
