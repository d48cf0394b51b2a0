"""Play a game of each kind through OpenSpiel and write down all that it says: tests/golden/openspiel/*.txt.

    python tools/playthroughs.py

Run it when these texts have changed on purpose, and read what has changed before you keep it. So that the files stay
small, most games begin where a golden record is close to its end, and hidden hands are cut off after the first bids.
"""

from __future__ import annotations

from pathlib import Path

from open_spiel.python.algorithms.generate_playthrough import playthrough

import smalti
import smalti.research
from smalti.research import spiel

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
SEED = 1


def last_events(record: str, events: int, limit: int) -> str:
    """Return the game that goes on where a golden record has so many events left."""
    read = smalti.read((GOLDEN / f"{record}.json").read_text())
    return str(spiel.after(smalti.match_of(read, len(read.events) - events), limit=limit))


def game_strings() -> dict[str, str]:
    """Return the games to play, by the names of their files."""
    return {
        "mosaix": last_events("mosaix/nobody-could-write", 8, limit=12),
        "mosaix-solo": "python_smalti_mosaix(limit=40,players=1)",
        "mozaika": last_events("mozaika/three-players", 11, limit=10),
        "mozaika-hidden": "python_smalti_mozaika(hands=hidden,limit=6)",
        "patterns": last_events("patterns/tie", 6, limit=20),
    }


def main() -> None:
    """Write all files."""
    for name, game in game_strings().items():
        file = GOLDEN / "openspiel" / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(playthrough(game, [], seed=SEED), encoding="utf-8", newline="\n")
        print(f"{file.stat().st_size:8,} bytes  {name}")


if __name__ == "__main__":
    main()
