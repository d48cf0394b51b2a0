"""The benchmark of the environments, beside their frameworks' own games: `python3 dev.py bench research`.

Everybody plays at random on one core. All are warm, and take turns round by round; what is shown are the medians, and
the medians of the ratios within each round. Nothing here fails because something is slow. In order: what takes turns,
what is compared.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import report, research_report
from bench.engine import Rates, arguments, race, ratio, summary
from bench.environments import MADE, MANY, PATTERNS, SINGLE, Entry, aec, made, mixed, node_game, parallel
from bench.loops import GAMES, game_in_turns, game_of_one_seat, game_together, of_nodes, played, reset, sum_of_games
from bench.peers import Measurement, on_one_core
from bench.research_peers import PGX_PEERS, SPIEL_PEERS, ZOO_PEERS, loaded
from smalti.measure import BATCH, rate

Figures = dict[str, Any]
Loader = Callable[[], Measurement]

SIZES = (1, 32, BATCH, 16_384)

# How many times the speed of a peer ours must have. Of OpenSpiel's games only those are meant that have something to
# compute: the others show what the framework itself takes.
FLOORS = {
    "zoo.connect_four": 2.0,
    "zoo.connect_four.raw": 2.0,
    "python_tic_tac_toe": 1.5,
    "python_block_dominoes": 1.5,
    "python_team_dominoes": 1.5,
    "pgx.2048": 2.0,
}


# --- What takes turns


def in_turns(entry: Entry) -> Measurement:
    """Measure a game of PettingZoo with agents in turn."""
    return played(aec(entry), game_in_turns)


def idle_turns(entry: Entry) -> Measurement:
    """Measure an environment of PettingZoo that does nothing and looks like this game."""
    from bench.idle import IdleTurns

    env = aec(entry)
    env.reset(seed=1)
    return played(IdleTurns(env, game_in_turns(env, random.Random(1))), game_in_turns)


def all_at_once(entry: Entry) -> Measurement:
    """Measure a game of PettingZoo with agents all at once."""
    return played(parallel(entry), game_together)


def begun(entry: Entry) -> Measurement:
    """Measure games of PettingZoo begun a second."""
    return reset(aec(entry), 1)


def one_seat(name: str) -> Measurement:
    """Measure an environment of Gymnasium."""
    return played(made(name), game_of_one_seat)


def idle_seat(name: str) -> Measurement:
    """Measure an environment of Gymnasium that does nothing and looks like this one."""
    from bench.idle import idle_seat

    env = made(name)
    env.reset(seed=1)
    return played(idle_seat(env, game_of_one_seat(env, random.Random(1))), game_of_one_seat)


def nodes(entry: Entry) -> Measurement:
    """Measure a game of OpenSpiel."""
    return of_nodes(node_game(entry))


def idle_nodes(entry: Entry, has_shortcut: bool) -> Measurement:
    """Measure a game of OpenSpiel that does nothing, as long as this one and with as many actions."""
    from bench.idle import IdleGame

    whole = sum_of_games(node_game(entry))
    return of_nodes(IdleGame(round(whole.choices / whole.decisions), round(whole.calls / GAMES), has_shortcut))


def batch(entry: Entry, count: int, has_buffers: bool) -> Measurement:
    """Measure steps of a batch of games, into the same buffers or into new arrays each time."""
    env, buffers = mixed(entry, count, has_buffers)
    latest: list[Any] = [None]  # whoever learns keeps it until the next one is there

    def step() -> int:
        latest[0] = env.step(env.sample(), out=buffers)
        return count

    return lambda seconds: rate(step, seconds)


def batch_apart(entry: Entry) -> Measurement:
    """Measure steps into new arrays in a process that does nothing else: what new memory costs depends on the rest."""
    starting = get_context("spawn")
    here, there = starting.Pipe()
    starting.Process(target=answer, args=(there, entry), daemon=True).start()
    here.recv()

    def ask(seconds: float) -> float:
        here.send(seconds)
        return float(here.recv())

    return ask


def answer(asked: Any, entry: Entry) -> None:
    """Measure whenever somebody asks, and tell when ready to."""
    measurement = batch(entry, BATCH, has_buffers=False)
    asked.send("ready")
    with suppress(EOFError):
        while True:
            asked.send(measurement(asked.recv()))


def batch_reset(entry: Entry) -> Measurement:
    """Measure games begun a second, 1,024 by each reset."""
    env, buffers = mixed(entry, BATCH, has_buffers=True)
    return reset(env, BATCH, out=buffers)


def singles() -> Iterator[tuple[str, Loader]]:
    """List environments of one game, ours and those that do nothing."""
    for entry in SINGLE:
        yield f"zoo.{entry.key}", partial(in_turns, entry)
        yield f"zoo.{entry.key}.idle", partial(idle_turns, entry)
        yield f"spiel.{entry.key}", partial(nodes, entry)
        yield f"spiel.{entry.key}.idle", partial(idle_nodes, entry, has_shortcut=True)
        yield f"together.{entry.key}", partial(all_at_once, entry)
        yield f"reset.{entry.key}", partial(begun, entry)
    yield "spiel.idle", partial(idle_nodes, PATTERNS, has_shortcut=False)
    for name in MADE:
        yield f"gym.{name}", partial(one_seat, name)
        yield f"gym.{name}.idle", partial(idle_seat, name)


def batches() -> Iterator[tuple[str, Loader]]:
    """List batches of our games."""
    for entry in MANY:
        yield f"many.{entry.key}.new", partial(batch_apart, entry)
        for size in SIZES:
            yield f"many.{entry.key}.{size}", partial(batch, entry, size, has_buffers=True)
        yield f"many.{entry.key}.reset", partial(batch_reset, entry)


def contestants(say: Callable[[str], None]) -> dict[str, Measurement]:
    """Load everything that takes turns and is installed."""
    peers = [(peer.key, peer.load) for peer in (*ZOO_PEERS, *SPIEL_PEERS, *PGX_PEERS)]
    found: dict[str, Measurement] = {}
    for key, load in (*singles(), *batches(), *peers):
        say(f"loading {key}")
        try:
            found[key] = load()
        except ImportError:
            continue
    return found


# --- What is compared


def pairs() -> Iterator[tuple[str, str]]:
    """List each of ours with each of its peers."""
    for entry in SINGLE:
        yield from ((f"zoo.{entry.key}", peer.key) for peer in ZOO_PEERS)
        yield from ((f"spiel.{entry.key}", peer.key) for peer in SPIEL_PEERS)
    for entry in MANY:
        for way in (str(BATCH), "new"):
            yield from ((f"many.{entry.key}.{way}", peer.key) for peer in PGX_PEERS)


def comparison(rates: Rates, ours: str, peer: str) -> Figures:
    """Compare one of ours with one peer."""
    found, floor = ratio(rates, ours, peer), FLOORS.get(peer)
    met = None if found is None or floor is None else found >= floor
    return {"ours": ours, "peer": peer, "ratio": found, "floor": floor, "met": met}


def in_a_call() -> dict[str, dict[str, float]]:
    """Return how many actions and decisions there are to a call, by every game of OpenSpiel that takes part."""
    games = {peer.key: loaded(peer.key) for peer in SPIEL_PEERS}
    games |= {f"spiel.{entry.key}": node_game(entry) for entry in SINGLE}
    sums = {key: sum_of_games(game) for key, game in games.items()}
    return {
        key: {"actions": found.actions / found.calls, "decisions": found.decisions / found.calls}
        for key, found in sums.items()
    }


def measured(rounds: int, say: Callable[[str], None]) -> Figures:
    """Measure everything there is."""
    cores = on_one_core()
    rates = race(contestants(say), rounds, say)
    return {
        "rounds": rounds,
        "machine": report.machine(research_report.PACKAGES) | {"cores used": cores},
        "rates": {key: summary(found) for key, found in rates.items()},
        "comparisons": [comparison(rates, *pair) for pair in pairs()],
        "in a call": in_a_call() if "spiel.idle" in rates else {},
    }


def main(rounds: int, as_json: bool, write: bool) -> int:
    """Measure, show, and write into `results.md` if asked to."""
    figures = measured(rounds, lambda text: print(f"» {text}", file=sys.stderr, flush=True))
    single, many = ({entry.key: entry.title for entry in entries} for entries in (SINGLE, MANY))
    sheets = research_report.Sheets(figures, single, many, MADE, SIZES).all()
    if as_json:
        print(json.dumps(figures, indent=2))
    else:
        report.show(figures, sheets)
    if write:
        report.write(figures, sheets, research_report.SECTION)
    return 0


if __name__ == "__main__":
    chosen = arguments("Measure the environments beside their frameworks' own games.")
    sys.exit(main(chosen.rounds, chosen.json, chosen.write))
