"""Feed mutated records to the reader and the verifier; only named errors may come back.

    python tools/fuzz_records.py --records 100000 --seed 1

Whatever breaks is written to tests/broken/, where the tests pick it up.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from pathlib import Path

import smalti
from smalti.engine.loops.simulation import random_record

BROKEN = Path(__file__).resolve().parent.parent / "tests" / "broken"
LETTERS = "abcdefghiKOGLDSRBYotx0123456789@,- "


def mutated(line: str, luck: random.Random) -> bytes:
    """Damage a record: a byte, a slice, a word, a number, an event."""
    data = bytearray(line.encode())
    for _ in range(luck.choice([1, 1, 1, 2, 5])):
        inside = [match.start(1) for match in re.finditer(rb'"(?:do|by)":"?([^"]?)', data)]
        place = luck.choice(inside) + luck.randrange(9) if inside and luck.random() < 0.7 else luck.randrange(len(data))
        kind = luck.choice([0, 1, 2, 3, 3, 3, 3, 3, 4, 5, 5, 5])
        place = min(place, len(data) - 1)
        if kind == 0:
            data[place] = luck.randrange(256)
        elif kind == 1:
            del data[place : place + luck.randrange(1, 40)]
        elif kind == 2:
            data[place:place] = data[luck.randrange(len(data)) :][: luck.randrange(1, 60)]
        elif kind == 3:
            data[place] = ord(luck.choice(LETTERS))
        elif kind == 4:
            data[place:place] = str(luck.choice([-1, 0, 7, 10**9, 10**40, 1.5, "null", "true", "{}", '""'])).encode()
        else:
            swap_events(data, luck)
        if not data:
            return b""
    return bytes(data)


def swap_events(data: bytearray, luck: random.Random) -> None:
    """Exchange two of the record's events, or write one over the other."""
    events = data.split(b'{"by":')
    if len(events) > 3:
        one, other = luck.randrange(1, len(events)), luck.randrange(1, len(events))
        events[one], events[other] = events[other], events[luck.choice([one, other])]
        data[:] = b'{"by":'.join(events)


def verdict(text: bytes) -> str:
    """Return what is said of a record: `good`, the rule, or the kind of error."""
    try:
        smalti.verify(smalti.read(text))
    except smalti.Refused as refused:
        return refused.rule
    except smalti.SmaltiError as error:
        if "\n" in str(error):
            raise ValueError("more than one line") from error
        return type(error).__name__
    return "good"


def main() -> int:
    """Fuzz, and say how often each verdict came."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--records", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    luck, verdicts, broken = random.Random(options.seed), Counter[str](), 0
    settings = [(game, seats) for game in smalti.games.everyone() for seats in game.seats]
    for number in range(options.records):
        if number % 20 == 0:
            game, seats = luck.choice(settings)
            line = random_record(game, seats, {}, options.seed, number).line()
        text = mutated(line, luck)
        try:
            verdicts[verdict(text)] += 1
        except Exception as error:
            broken += 1
            BROKEN.mkdir(exist_ok=True)
            (BROKEN / f"{options.seed}-{number}.json").write_bytes(text)
            print(f"record {number}: {type(error).__name__}: {error}", file=sys.stderr)
        if number % 5000 == 0:
            print(f"{number} of {options.records}", file=sys.stderr, flush=True)
    for name, times in verdicts.most_common():
        print(f"{times:>8} {name}")
    print(f"{broken} broke the reader")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
