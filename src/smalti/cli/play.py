"""`smalti play`: a game in the terminal, against people at the same screen and against bots."""

from __future__ import annotations

import getpass
import itertools
import os
import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from smalti import bots, games
from smalti.cli import screen
from smalti.cli.files import only_record
from smalti.cli.simulate import options_of
from smalti.engine.errors import BadInput, Refused, SmaltiError, shown
from smalti.engine.game import Game
from smalti.engine.loops.warming import one_match
from smalti.engine.match import Event, Match
from smalti.engine.record import bytes_of
from smalti.engine.records import Record, record_of, replay
from smalti.engine.rules import NOBODY

HELP = """Play in the terminal. Without a game, choose one from a list.

`--players` names a player for each seat: `human`, `random`, or a bot from `level-1` (weakest) to `level-8` (strongest).
Type moves as they stand in records; `help` shows how.

    smalti play mosaix --players human

    smalti play patterns --players human,level-3

    smalti play mozaika --players human,level-5,random --out game.json
"""

HUMAN = "human"
COMMANDS = "moves, moves TEXT, table, score, help, quit"
MANY = 40  # moves that are listed without being asked twice


class Quit(Exception):
    """The person at the terminal wants to leave."""


def play(
    game: Annotated[str | None, typer.Argument(help=games.listed())] = None,
    players: Annotated[
        str | None, typer.Option(help="A player for each seat, separated by commas: human or a bot.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option as NAME=VALUE; may be repeated.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed for chance and bots, to make a game repeatable.")] = None,
    out: Annotated[Path | None, typer.Option(help="File for the record; a new one if not given.")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Record of an unfinished game, to continue and to write to.")
    ] = None,
) -> None:
    """Play a game and write its record."""
    luck = random.Random(seed) if seed is not None else random.SystemRandom()
    match, record = None, None
    try:
        record = open_record(str(resume)) if resume else None
        match = replay(record, games.find) if record else new_match(game, players, option or [])
        kinds = seats_of(players, match) if players or resume else default_seats(match.game, match.seats)
        get_ready(match.game)
        Session(match, kinds, luck).run()
    except Quit:
        screen.console.print("\nGood-bye.")
    if match:
        finish(match, record, out or resume or free_name(match.game))


def new_match(name: str | None, players: str | None, option: list[str]) -> Match:
    """Set up the game that was asked for, or ask."""
    game = games.find(name or ask_game())
    seats = len(players.split(",")) if players else 2 if 2 in game.seats else game.seats[0]
    return Match(game, seats, options_of(option))


def open_record(file: str) -> Record:
    """Return a record that is not over."""
    record = only_record(file)
    if record.scores is not None:
        raise BadInput("this game is over; `smalti show` draws it")
    return record


def get_ready(game: Game) -> None:
    """Compile what playing needs, with a progress line, before the first move."""
    with screen.progress(f"getting {game.title} ready", show=True) as advance:
        advance(0, f"getting {game.title} ready")
        one_match(game)


def ask_game() -> str:
    """Let the player choose a game."""
    screen.headline("Smalti")
    for number, game in enumerate(games.everyone(), 1):
        seats = f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        screen.console.print(f"  [bold]{number}[/bold]  {game.title}, {seats} players, by {game.authors}")
    while True:
        answer = ask("Which game? ")
        if answer in games.names():
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(games.names()):
            return games.names()[int(answer) - 1]
        screen.console.print(f"Type a number from 1 to {len(games.names())}, or quit.")


def ask(prompt: str, secret: bool = False) -> str:
    """Ask for a line; the end of input means quit."""
    try:
        answer = getpass.getpass(prompt) if secret and sys.stdin.isatty() else screen.console.input(prompt)
    except (EOFError, KeyboardInterrupt):
        raise Quit from None
    answer = " ".join(answer.split())
    if answer in ("quit", "q", "exit"):
        raise Quit
    return answer


def default_seats(game: Game, seats: int) -> list[str]:
    """Seat one person among bots."""
    return [HUMAN] + ["random"] * (seats - 1)


def seats_of(players: str | None, match: Match) -> list[str]:
    """Read who sits where."""
    kinds = players.split(",") if players else default_seats(match.game, match.seats)
    for kind in kinds:
        check_player(kind, match.game.name)
    if len(kinds) != match.seats:
        raise BadInput(f"this game has {match.seats} seats, but --players names {len(kinds)}")
    return kinds


def check_player(kind: str, game: str) -> None:
    """Refuse a player who is neither human nor a bot of this game; a budget may follow a bot's name."""
    if kind == HUMAN:
        return
    if kind.partition("@")[0] not in bots.names(game):
        raise BadInput(f"a player is {HUMAN} or one of {', '.join(bots.names(game))}; not {shown(kind)}")
    bots.find(kind, game)


def free_name(game: Game) -> Path:
    """Return a name for a record that no file has yet."""
    names = (Path(f"{game.name}-{number}.json") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def finish(match: Match, resumed: Record | None, out: Path) -> None:
    """Write the record, if anything has happened, with all that a resumed one had; say where it is."""
    if not match.events:
        return
    record = record_of(match)
    if resumed:
        record.extra, record.event_extra = resumed.extra, resumed.event_extra
    part = out.with_name(out.name + ".part")
    part.write_text(record.text(), encoding="utf-8")
    os.replace(part, out)
    again = "" if match.is_over else f"; to continue: smalti play --resume {out}"
    screen.console.print(f"The record is in {out}{again}", style="dim", markup=False, soft_wrap=True)


class Session:
    """One sitting at a terminal."""

    def __init__(self, match: Match, kinds: list[str], luck: random.Random) -> None:
        """Remember who sits where."""
        self.match = match
        self.kinds = kinds
        self.luck = luck
        self.seed = luck.getrandbits(63)  # of the bots
        self.humans = kinds.count(HUMAN)
        self.last_human: int | None = None

    def run(self) -> None:
        """Play to the end."""
        screen.headline(f"{self.match.game.title}, by {self.match.game.authors}")
        screen.console.print(f"[dim]Type events as shown, or: {COMMANDS}[/dim]")
        while not self.match.is_over:
            self.step()
        screen.headline("The end")
        screen.breakdown(self.match.boards(None), self.match.breakdown(), dict(enumerate(self.match.scores)))
        screen.result(self.match)

    def step(self) -> None:
        """Let chance, a bot or a person act."""
        if self.match.awaits_chance:
            self.report(self.match.draw(self.luck))
            return
        others = [seat for seat in sorted(self.match.acting) if self.kinds[seat] != HUMAN]
        if others:
            self.report(self.match.play(others[0], self.chosen_by_bot(others[0])))
        else:
            self.ask_seat(min(self.match.acting))

    def chosen_by_bot(self, seat: int) -> str:
        """Let the bot on a seat choose, from what that seat may see."""
        bot, seen = self.kinds[seat], bytes_of(self.match.seen_by(seat))
        with screen.waiting(f"seat {seat} ({bot}) thinks"):
            return bots.choose(bot, self.match.game.name, seen, seat, self.seed)

    def report(self, event: Event) -> None:
        """Print what happened, unless it is sealed."""
        if self.hidden_now():
            screen.print_event(Event(event.by, f"{event.do.partition(' ')[0]} (sealed)"))
        else:
            screen.print_event(event)

    def hidden_now(self) -> bool:
        """Say whether the last event is still a secret: an onlooker would not see another one in its place."""
        event = self.match.events[-1]
        other = self.match.copy()
        other.undo()
        if event.by is None:
            other.draw(random.Random(len(self.match.events)))
        else:
            other.play(event.by, next((text for text in other.legal(event.by) if text != event.do), event.do))
        return other.events[-1] != event and not other.tells_seat(self.match, NOBODY)

    def ask_seat(self, seat: int) -> None:
        """Show the table to a person and play what they type."""
        self.hand_over(seat)
        screen.table(self.match.boards(seat))
        self.hints(seat)
        sealed = self.seals(seat)
        while True:
            answer = ask(f"seat {seat} (sealed)> " if sealed else f"[bold]seat {seat}>[/bold] ", sealed)
            try:
                if answer and not self.command(seat, answer):
                    self.report(self.match.play(seat, self.chosen(seat, answer)))
                    return
            except Refused as error:
                screen.console.print(f"  {error.rule}: {error}", style="yellow", markup=False)
            except SmaltiError as error:
                screen.console.print(f"  {error}", style="yellow", markup=False)

    def hand_over(self, seat: int) -> None:
        """When several people share the screen and something is secret, let them change places."""
        secret = bytes_of(self.match.seen_by(NOBODY)) != bytes_of(self.match.table)
        if self.humans > 1 and secret and self.last_human not in (None, seat):
            screen.console.clear()
            ask(f"Seat {seat}'s turn: hand over, then press Enter. ")
        self.last_human = seat

    def seals(self, seat: int) -> bool:
        """Say whether what this seat types must not be seen by the other people at this screen."""
        moves = self.match.legal_moves(seat)
        if self.humans < 2 or len(moves) < 2:
            return False
        one, other = self.match.copy(), self.match.copy()
        one.play(seat, moves[0])
        other.play(seat, moves[-1])
        return not one.tells(other, seat)

    def hints(self, seat: int) -> None:
        """Show what can be typed now."""
        verbs = dict.fromkeys(text.partition(" ")[0] for text in self.match.legal(seat))
        for verb in verbs:
            screen.console.print(f"  {self.match.game.notation.HINTS[verb]}", style="dim", markup=False, soft_wrap=True)

    def chosen(self, seat: int, answer: str) -> str:
        """Return the event that was typed, or chosen by its number in the list of moves."""
        moves = self.match.legal(seat)
        if answer.isascii() and answer.isdigit() and len(answer) < 4 and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        return answer

    def command(self, seat: int, answer: str) -> bool:
        """Do what is no event: list moves, draw, count, help. Say whether it was one of these."""
        word, _, rest = answer.partition(" ")
        if word == "moves":
            self.list_moves(seat, rest)
        elif answer == "table":
            screen.table(self.match.boards(seat))
        elif answer == "score":
            screen.breakdown(self.match.boards(seat), self.match.breakdown(), dict(enumerate(self.match.scores)))
        elif answer in ("help", "?"):
            screen.console.print(f"Commands: {COMMANDS}. Events of this phase:")
            self.hints(seat)
        else:
            return False
        return True

    def list_moves(self, seat: int, start: str) -> None:
        """List the legal events that begin with a text, each with a number to choose it by."""
        moves = [(number, text) for number, text in enumerate(self.match.legal(seat), 1) if text.startswith(start)]
        if not moves:
            screen.console.print(f"  no legal event begins with {shown(start)}", style="yellow", markup=False)
            return
        shown_moves = moves if start else moves[:MANY]
        screen.listing([f"[dim]{number:>3}[/dim] {text}" for number, text in shown_moves])
        if len(shown_moves) < len(moves):
            more = f"  … {len(moves) - len(shown_moves)} more; narrow it down, for example: moves {moves[-1][1]}"
            screen.console.print(more, style="dim")
