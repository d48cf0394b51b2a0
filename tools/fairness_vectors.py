"""Write docs/fairness-vectors.json: examples of everything that fairness is made of, for whoever checks it elsewhere.

python tools/fairness_vectors.py           writes the file
python tools/fairness_vectors.py --check   says whether it is up to date, exit code 1 if not
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smalti import Match, games
from smalti.server.luck import derive
from smalti.server.luck.shared_deal import dealt

FILE = Path(__file__).resolve().parent.parent / "docs" / "fairness-vectors.json"
SECRETS = ("00" * 32, "ff" * 32, bytes(range(32)).hex())
NONCES = ("11" * 32, bytes(range(32, 64)).hex())
TABLES = ("Table0000000", "x1yZ9abCdEf3")
CODES = (("mosaix", 2, "Tuesday"), ("mozaika", 3, "żółw & \U0001f422 9"), ("patterns", 2, "k7qm-2xwv-n4hd"))


def commitments() -> list[dict[str, Any]]:
    """What is shown before the game."""
    return [
        {"table": table, "secret": secret, "commitment": derive.commitment(table, bytes.fromhex(secret))}
        for table in TABLES
        for secret in SECRETS
    ]


def keys() -> list[dict[str, Any]]:
    """Keys of tables; a bot adds nothing."""
    given: list[tuple[str, str, list[str | None]]] = [
        (SECRETS[0], TABLES[0], [NONCES[0]]),
        (SECRETS[1], TABLES[0], [NONCES[0], NONCES[1]]),
        (SECRETS[2], TABLES[1], [NONCES[1], None, NONCES[0]]),
        (SECRETS[2], TABLES[1], [None, None]),
    ]
    return [
        {
            "secret": secret,
            "table": table,
            "nonces": nonces,
            "key": derive.key_of_table(bytes.fromhex(secret), table, nonces).hex(),
        }
        for secret, table, nonces in given
    ]


def codes() -> list[dict[str, Any]]:
    """Keys of deals that several tables share."""
    found = []
    for game, seats, code in CODES:
        options = games.find(game).checked_options({})
        key = derive.key_of_code(game, seats, options, code)
        found.append({"game": game, "seats": seats, "options": options, "code": code, "key": key.hex()})
    return found


def words() -> list[dict[str, Any]]:
    """The 64 bits of small moves, as hexadecimal digits."""
    key = derive.key_of_table(bytes.fromhex(SECRETS[2]), TABLES[1], [NONCES[0]])
    places = [(1, 0), (1, 1), (1, 51), (2, 0), (17, 3)]
    return [
        {"key": key.hex(), "number": number, "move": move, "word": f"{derive.drawn(key, number)(move):016x}"}
        for number, move in places
    ]


def seals() -> list[dict[str, Any]]:
    """Seals of bids."""
    given = [(TABLES[0], 0, "bid 3", NONCES[0]), (TABLES[0], 0, "bid 4", NONCES[0]), (TABLES[1], 2, "bid 0", NONCES[1])]
    return [
        {"table": table, "seat": seat, "do": do, "nonce": nonce, "seal": derive.seal(table, seat, do, nonce)}
        for table, seat, do, nonce in given
    ]


def deals() -> list[dict[str, Any]]:
    """What the first events of chance are in each game, from a key: at a table of its own, and by a code."""
    found = []
    for vector in codes():
        given = {name: vector[name] for name in ("game", "seats", "options", "key")}
        own = first_events(given, lambda match, source: match.copy().draw(source).do)
        found.append(given | {"events": own, "by_code": first_events(given, dealt)})
    return found


def first_events(given: dict[str, Any], draw: Callable[[Match, derive.Source], str]) -> list[str]:
    """List what chance does before anybody has acted."""
    match, key = Match(games.find(given["game"]), given["seats"]), bytes.fromhex(given["key"])
    while match.awaits_chance:
        match.play(None, draw(match, derive.drawn(key, len(match.events) + 1)))
    return [event.do for event in match.events]


def text() -> str:
    """Return the whole file."""
    parts = (commitments, keys, codes, words, seals, deals)
    vectors = {"version": derive.FAIR, **{part.__name__: part() for part in parts}}
    return json.dumps(vectors, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the file, or compare."""
    if "--check" not in sys.argv:
        FILE.write_text(text(), encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text():
        sys.exit(f"{FILE.name} is not up to date: run `python tools/fairness_vectors.py`")


if __name__ == "__main__":
    main()
