"""One match of a contest: chance from the seed and the deal alone, everybody's time measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from smalti.arena.contest import Block, Contest, Seating
from smalti.arena.players import Forfeit, Place, Player, seated
from smalti.engine.chance import derived_seed
from smalti.engine.match import Match
from smalti.engine.records import record_of

CHANCE, PLAYERS = 0, 1  # what the random numbers of a deal are for


@dataclass
class Clock:
    """How long somebody has thought."""

    moves: int = 0
    seconds: float = 0.0
    most: float = 0.0
    nodes: int = 0  # tables looked at, as far as that is known

    def add(self, seconds: float, nodes: int) -> None:
        """Count one more move."""
        self.join(Clock(1, seconds, seconds, nodes))

    def join(self, other: Clock) -> None:
        """Count what another clock has counted."""
        self.moves, self.seconds = self.moves + other.moves, self.seconds + other.seconds
        self.most, self.nodes = max(self.most, other.most), self.nodes + other.nodes


class Played(NamedTuple):
    """What became of a match."""

    seating: Seating
    scores: list[int]
    shares: list[float]  # of the win, by seat
    clocks: list[Clock]
    chances: int  # events of chance
    verdict: str  # of the rules, where nobody is there to compare with
    forfeit: dict[str, Any] | None = None  # who lost without the game being over, and why
    line: str = ""  # the record, if it is kept


def dice(contest: Contest, deal: int, event: int) -> Callable[[int], int]:
    """Return what chance draws from in its event of that number: the same in every match of a deal."""
    return lambda number: derived_seed(contest.seed, deal, CHANCE, event, number)


@dataclass
class Sitting:
    """A match while it is played."""

    contest: Contest
    deal: int
    players: list[Player]
    match: Match
    clocks: list[Clock]
    chances: int = field(default=0)
    prover: Player | None = None  # who has proved how the match ends, where that settles it

    def step(self) -> None:
        """Let chance, or the lowest seat that must act, do something."""
        if self.match.awaits_chance:
            self.match.draw(dice(self.contest, self.deal, self.chances))
            self.chances += 1
            return
        seat = min(self.match.acting)
        self.match.play(seat, self.proved(seat) or self.thought(seat))

    def thought(self, seat: int) -> str:
        """Let the seat's own player think, by the clock."""
        player = self.players[seat]
        begun, before = time.perf_counter(), player.nodes
        text = player.choose(self.match, seat)
        self.clocks[seat].add(time.perf_counter() - begun, player.nodes - before)
        self.prover = player if self.contest.settles and player.has_proved else None
        return text

    def proved(self, seat: int) -> str:
        """Return the best move as it was proved; nothing if nobody has, or the proof does not reach so far."""
        text = self.prover.choose(self.match, seat) if self.prover else ""
        return text if self.prover and self.prover.has_proved else ""


def play_block(contest: Contest, block: Block) -> list[Played]:
    """Play all matches of a block."""
    return [play_match(contest, block.deal, seating) for seating in block.seatings]


def play_match(contest: Contest, deal: int, seating: Seating) -> Played:
    """Play one match; a player who breaks it off loses it."""
    match = Match(contest.rules, contest.seats, dict(contest.options))
    forfeit: dict[str, Any] | None = None
    with ExitStack() as leaving:
        players = [seated(place) for place in places(contest, deal, seating)]
        for player in players:
            leaving.callback(player.leave, match)
        sitting = Sitting(contest, deal, players, match, [Clock() for _ in seating])
        try:
            while not match.is_over:
                sitting.step()
        except Forfeit as failed:
            forfeit = {"seat": failed.seat, "why": str(failed)}
    shares = shares_of(match, forfeit["seat"] if forfeit else None)
    line = line_of(contest, deal, seating, match, forfeit) if contest.keeps_records else ""
    verdict = match.game.verdict(match.table) if match.is_over else ""
    return Played(seating, match.scores, shares, sitting.clocks, sitting.chances, verdict, forfeit, line)


def places(contest: Contest, deal: int, seating: Seating) -> list[Place]:
    """Return who sits where, everybody with luck of their own that they keep wherever they sit."""
    found = []
    for seat, entrant in enumerate(seating):
        luck = derived_seed(contest.seed, deal, PLAYERS, entrant, seating[:seat].count(entrant))
        found.append(Place(contest.game, contest.entrants[entrant], seat, luck >> 1, contest.limit))
    return found


def shares_of(match: Match, loser: int | None) -> list[float]:
    """Return each seat's share of the win: of a match not played to its end, all who did not break it off share it."""
    winners = match.winners if match.is_over else [seat for seat in range(match.seats) if seat != loser]
    return [(seat in winners) / len(winners) if winners else 0.0 for seat in range(match.seats)]


def line_of(contest: Contest, deal: int, seating: Seating, match: Match, forfeit: dict[str, Any] | None) -> str:
    """Write the record of a match: with who played, which deal it was and, if so, why it broke off."""
    more: dict[str, Any] = {
        "bots": [contest.entrants[entrant] for entrant in seating],
        "arena": {"seed": contest.seed, "deal": deal},
    }
    if forfeit:
        more["forfeit"] = forfeit
    return record_of(match, **more).line()
