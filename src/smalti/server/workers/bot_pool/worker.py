"""A process that thinks: `python -m smalti.server.workers.bot_pool.worker`.

A line of JSON comes in with a question, a line goes out with the answer, one at a time. Beside, in a thread, it loads
or compiles the bots of all games if it is told to, those first that have been asked for; a question always goes first.
It ends when the server does, whatever it is doing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import msgspec

from smalti import bots, games
from smalti.server.workers.bot_pool.questions import Answer, Chosen, Failed, Question, Think, Warm, Warmed


class Warmer:
    """Loads bots while nobody asks for any."""

    def __init__(self, send: Callable[[Warmed], None]) -> None:
        self.send = send
        self.left: dict[str, Iterator[None]] = {}  # by game, the next one first
        self.may_work = threading.Event()
        self.may_work.set()

    def start(self, names: list[str]) -> None:
        """Begin with these games, in this order."""
        self.left = {name: bots.warming(name) for name in names}
        threading.Thread(target=self.work, daemon=True).start()

    def prefer(self, game: str) -> None:
        """Go on with this game: somebody plays it."""
        if game in self.left:
            self.left = {game: self.left[game], **self.left}

    def work(self) -> None:
        """Do one small piece after the other."""
        while self.left:
            self.may_work.wait()
            game = next(iter(self.left))
            try:
                next(self.left[game])
            except StopIteration:
                self.left = {name: steps for name, steps in self.left.items() if name != game}
                self.send(Warmed(game))


def answer_to(question: Think) -> Answer:
    """Let a bot choose."""
    try:
        return Chosen(bots.choose(question.bot, question.game, question.seen, question.seat, question.luck))
    except Exception:
        return Failed(traceback.format_exc(limit=-5))


def listen(questions: SimpleQueue[Question]) -> None:
    """Take questions; when there can be no more, end at once."""
    decode = msgspec.json.Decoder(Question).decode
    for line in sys.stdin.buffer:
        questions.put(decode(line))
    os._exit(0)


class Output:
    """Where answers go, of two threads and each a whole line; whatever is printed goes to the log instead."""

    def __init__(self) -> None:
        self.file, self.turn = os.fdopen(os.dup(1), "wb"), threading.Lock()
        os.dup2(2, 1)

    def send(self, answer: Answer) -> None:
        """Send an answer."""
        with self.turn:
            self.file.write(msgspec.json.encode(answer) + b"\n")
            self.file.flush()


def work() -> None:
    """Answer one question after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is time to go
    output, questions = Output(), SimpleQueue[Question]()
    warmer = Warmer(output.send)
    threading.Thread(target=listen, args=(questions,), daemon=True).start()
    while True:
        question = questions.get()
        if isinstance(question, Warm):
            warmer.start([name for name in question.games if name in games.names()])
            continue
        warmer.may_work.clear()
        warmer.prefer(question.game)
        output.send(answer_to(question))
        warmer.may_work.set()


if __name__ == "__main__":
    work()
