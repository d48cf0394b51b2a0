"""Programs of others, which take part by lines of JSON on their standard input and output (docs/arena.md).

A program is started for every match. Whatever it does wrong loses that match, and the reason is kept.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import tempfile
import threading
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

from smalti.arena.players import PROGRAM, Forfeit, Place
from smalti.bots.review.judge import is_sealing
from smalti.engine.errors import BadInput, SmaltiError, shown
from smalti.engine.match import Event, Match
from smalti.engine.rules import NOBODY

PROTOCOL = "smalti-arena/1"
LONGEST_LINE = 2**16  # bytes of an answer
FAREWELL = 1.0  # seconds to end by itself
START = 10.0  # seconds at least to get going


def words_of(name: str) -> list[str]:
    """Return the words of a program's command."""
    try:
        words = shlex.split(name.removeprefix(PROGRAM))
    except ValueError as error:
        raise BadInput(f"{shown(name)} is not a command: {error}") from None
    if not words:
        raise BadInput(f"a command must follow {PROGRAM}, such as '{PROGRAM}python3 bot.py'")
    return words


class Witness:
    """What a seat has come to know: everything, but nothing sealed before it is shown."""

    def __init__(self, seat: int) -> None:
        self.seat, self.told = seat, 0
        self.known: list[tuple[Event, bool]] = []  # with whether it is sealed for a while
        self.before: Match | None = None

    def news(self, match: Match) -> list[dict[str, Any]]:
        """Return what the seat did not know when it was asked last."""
        self.before = before = self.before or Match(match.game, match.seats, match.options)
        for event in match.events[len(before.events) :]:
            self.known.append(self.seen(before, event))
            before.play(*event)
        end = len(self.known)
        while end > self.told and self.known[end - 1][1] and is_sealing(match):
            end -= 1
        fresh = [event for event, _ in self.known[self.told : end]]
        self.told = end
        return [event._asdict() for event in fresh]

    def seen(self, before: Match, event: Event) -> tuple[Event, bool]:
        """Return an event as the seat may know it in the end, and whether it is sealed until then."""
        game, table = before.game, before.table
        if event.by is not None:
            return event, game.is_secret(table, event.by, game.numbers[event.do], self.seat)
        is_hidden = any(game.is_secret(table, NOBODY, move, NOBODY) for move in list(before.chances())[:1])
        verb = event.do.partition(" ")[0]
        return (Event(None, verb) if is_hidden else event), False


class ProgramPlayer:
    """A program on a seat."""

    nodes, has_proved = 0, False  # it does not say

    def __init__(self, place: Place) -> None:
        self.place, self.words = place, words_of(place.name)
        self.process: subprocess.Popen[bytes] | None = None
        self.listener: threading.Thread | None = None
        self.writer: threading.Thread | None = None
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.witness = Witness(place.seat)
        self.stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed when the match is over

    # --- Playing

    def choose(self, match: Match, seat: int) -> str:
        """Ask the program for a move."""
        if self.process is None:
            self.start(match)
        budget = {"seconds": self.place.limit}
        question = {"seen": asdict(match.view(seat)), "legal": match.legal(seat), "events": self.witness.news(match)}
        answer = self.request({**question, "budget": budget}, self.place.limit)
        text = answer.get("do")
        if not isinstance(text, str):
            raise self.failed(f"answered without a move: {shown(json.dumps(answer))}")
        try:
            match.copy().play(seat, text)
        except SmaltiError as error:
            raise self.failed(f"wanted to play {shown(text)}: {error}") from None
        return text

    def start(self, match: Match) -> None:
        """Start the program and greet it; it may take a while to answer."""
        pipe = subprocess.PIPE
        try:
            # In a session of its own, so that Ctrl+C ends the arena and not a program in the middle of a match.
            self.process = subprocess.Popen(
                self.words, stdin=pipe, stdout=pipe, stderr=self.stderr, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise self.failed(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        hello = {"hello": PROTOCOL, "game": match.game.name, "rules": match.game.version, "seats": match.seats}
        more = {"seat": self.place.seat, "options": match.options, "seed": self.place.seed}
        self.request({**hello, **more, "budget": {"seconds": self.place.limit}}, max(START, self.place.limit))

    def listen(self) -> None:
        """Read the output of the program line by line, until it ends."""
        with suppress(OSError, ValueError):
            while line := self.pipe("stdout").readline(LONGEST_LINE + 1):
                self.answers.put(line)
        self.answers.put(b"")

    def request(self, message: dict[str, Any], limit: float) -> dict[str, Any]:
        """Send a message and return the answer."""
        self.send(message)
        try:
            line = self.answers.get(timeout=limit)
        except queue.Empty:
            raise self.failed(f"said nothing for {limit:g} s") from None
        if not line:
            raise self.failed(f"ended{self.exit_reason()}")
        if len(line) > LONGEST_LINE:
            raise self.failed(f"answered with more than {LONGEST_LINE} bytes")
        said = shown(line.decode(errors="replace").rstrip())
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self.failed(f"answered with something that is not JSON: {said}") from None
        if not isinstance(answer, dict):
            raise self.failed(f"answered with something that is no object: {said}")
        return answer

    def send(self, message: dict[str, Any]) -> None:
        """Write a line to the program, without waiting for one that never reads."""
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self.writer = threading.Thread(target=self.write, args=(line,), daemon=True)
        self.writer.start()
        self.writer.join(FAREWELL)

    def write(self, line: bytes) -> None:
        """Write a line; a program that has ended does not read it."""
        with suppress(OSError, ValueError):
            self.pipe("stdin").write(line)
            self.pipe("stdin").flush()

    def pipe(self, name: str) -> IO[bytes]:
        """Return the program's standard input or output."""
        found: IO[bytes] = getattr(self.process, name)
        return found

    # --- Leaving

    def leave(self, match: Match) -> None:
        """Send the result of the match, and end the program."""
        if self.process is not None:
            if match.is_over:
                self.send({"over": {"scores": match.scores, "winners": match.winners}})
            self.end(FAREWELL if match.is_over else 0.0)
        self.stderr.close()

    def end(self, patience: float) -> None:
        """Close the input of the program, and make sure that it ends."""
        assert self.process
        if self.writer and self.writer.is_alive():
            self.process.kill()
            self.writer.join()
        with suppress(OSError, ValueError):
            self.pipe("stdin").close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        self.process.kill()
        self.process.wait()
        if self.listener:
            self.listener.join(FAREWELL)
        with suppress(OSError, ValueError):
            self.pipe("stdout").close()

    def failed(self, what: str) -> Forfeit:
        """Say what the program did wrong."""
        return Forfeit(self.place.seat, f"the program {what}")

    def exit_reason(self) -> str:
        """Return the exit code and the last line of standard error, if there is one."""
        assert self.process
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").split("\n")
        said = next((line for line in reversed(lines) if line.strip()), "")
        return f" with code {self.process.poll()}" + (f": {shown(said)}" if said else "")
