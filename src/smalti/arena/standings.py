"""What a contest has shown: everybody against everybody, and one list of all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.arena.contest import Contest
from smalti.arena.matches import Clock, Played
from smalti.arena.statistics import Range, Scale, SequentialTest, deviation, finite, mean, mean_range, share_range

ANCHOR = "random"  # has an Elo of 0 where it takes part
RESAMPLES = 200
ROUNDS, CLOSE_ENOUGH = 2000, 1e-7

Floats = npt.NDArray[np.float64]


@dataclass
class Encounter:
    """One entrant against another, from the first one's side: one number a block."""

    first: int
    second: int
    seats: int
    blocks: list[list[Played]] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)

    def add(self, block: list[Played]) -> None:
        """Count a block."""
        self.blocks.append([match._replace(scores=[], clocks=[]) for match in block])  # there may be many
        won = [self.share(match) for match in block]
        self.shares.append(mean(won))
        self.leads.append(mean([self.lead(match) for match in block]))
        self.games.update("won" if share > 1 - 1e-9 else "lost" if share < 1e-9 else "shared" for share in won)

    def share(self, match: Played) -> float:
        """Return the share of the win that went to the first one."""
        return sum(share for who, share in zip(match.seating, match.shares, strict=True) if who == self.first)

    def lead(self, match: Played) -> float:
        """Return by how many points the seats of the first one are ahead of the others, on average."""
        own = [score for who, score in zip(match.seating, match.scores, strict=True) if who == self.first]
        others = [score for who, score in zip(match.seating, match.scores, strict=True) if who != self.first]
        return mean(own) - mean(others)

    @property
    def scale(self) -> Scale:
        """How strength shows at the tables of this encounter."""
        return Scale(tuple((match.seating.count(self.first), self.seats) for match in self.blocks[0]))

    @property
    def elo(self) -> Range:
        """By how much the first one is stronger."""
        return self.scale.elo_range(self.shares)

    def document(self, labels: list[str], test: tuple[float, float] | None) -> dict[str, Any]:
        """Describe it for JSON."""
        found: dict[str, Any] = {
            "first": labels[self.first],
            "second": labels[self.second],
            "blocks": len(self.shares),
            "games": sum(self.games.values()),
            **{key: self.games[key] for key in ("won", "shared", "lost")},
            "share": ranged(share_range(self.shares)),
            "par": self.scale.par,
            "points": ranged(mean_range(self.leads)),
            "elo": ranged(self.elo),
            "by block": {"shares": self.shares, "points": self.leads},
        }
        if test:
            sprt = SequentialTest(self.scale, *test)
            said = {"ratio": sprt.ratio(self.shares), "bound": sprt.bound, "verdict": sprt.verdict(self.shares)}
            found["sprt"] = {"elo": list(test), **said}
        return found


def ranged(found: Range) -> dict[str, float | None]:
    """Describe an estimate for JSON."""
    return {name: finite(value) for name, value in found._asdict().items()}


@dataclass
class Standings:
    """All encounters of a contest, and everybody's time."""

    contest: Contest
    encounters: dict[tuple[int, int], Encounter] = field(default_factory=dict)
    clocks: dict[int, Clock] = field(default_factory=dict)
    forfeits: list[dict[str, Any]] = field(default_factory=list)

    def add(self, pair: tuple[int, int], block: list[Played]) -> Encounter:
        """Count a block of two entrants."""
        met = self.encounters.setdefault(pair, Encounter(*pair, self.contest.seats))
        met.add(block)
        for match in block:
            self.note(match)
        return met

    def note(self, match: Played) -> None:
        """Count the time of everybody in a match, and who broke it off."""
        for entrant, clock in zip(match.seating, match.clocks, strict=True):
            self.clocks.setdefault(entrant, Clock()).join(clock)
        if match.forfeit:
            who = self.contest.entrants[match.seating[match.forfeit["seat"]]]
            self.forfeits.append({"bot": who, **match.forfeit})

    def times(self, entrant: int) -> dict[str, float]:
        """Return how long somebody thinks about a move, in milliseconds."""
        clock = self.clocks.get(entrant, Clock())
        return {"mean": 1000 * clock.seconds / max(1, clock.moves), "most": 1000 * clock.most}

    def speed(self, entrant: int) -> float | None:
        """Return how many tables somebody looks at in a second; nothing if they do not say."""
        clock = self.clocks.get(entrant, Clock())
        return clock.nodes / clock.seconds if clock.nodes else None

    @property
    def anchor(self) -> int:
        """Whose Elo is 0: that of the bot that plays at random, or the first one's."""
        return self.contest.entrants.index(ANCHOR) if ANCHOR in self.contest.entrants else 0

    def table(self) -> list[tuple[int, Range]]:
        """List everybody with their Elo, the strongest first."""
        tallies = [Tally.of(met.blocks, len(self.contest.entrants)) for met in self.encounters.values()]
        luck = random.Random(self.contest.seed)
        found = self.ratings([tally.all() for tally in tallies])
        again = np.array([self.ratings([tally.drawn(luck) for tally in tallies]) for _ in range(RESAMPLES)])
        low, high = np.quantile(again, (0.025, 0.975), axis=0)
        ranges = [Range(float(found[n]), float(low[n]), float(high[n])) for n in range(len(found))]
        return sorted(enumerate(ranges), key=lambda row: -row[1].value)

    def ratings(self, results: list[tuple[Floats, Floats]]) -> Floats:
        """Return everybody's Elo from the tables played and who won them."""
        tables = np.concatenate([tables for tables, _ in results])
        strengths = fitted(tables, np.concatenate([wins for _, wins in results]))
        elo: Floats = 400 * np.log10(strengths / strengths[self.anchor])
        return elo


@dataclass(frozen=True)
class Tally:
    """The matches of an encounter, each with how many seats everybody had, and each block with who won how much."""

    tables: Floats  # kinds of tables × entrants
    wins: Floats  # blocks × kinds of tables × entrants

    @classmethod
    def of(cls, blocks: Sequence[list[Played]], entrants: int) -> Tally:
        """Count them."""
        kinds = sorted({counts(match, entrants) for match in blocks[0]})
        wins = np.zeros((len(blocks), len(kinds), entrants))
        for number, block in enumerate(blocks):
            for match in block:
                for entrant, share in zip(match.seating, match.shares, strict=True):
                    wins[number, kinds.index(counts(match, entrants)), entrant] += share
        return cls(np.array(kinds, np.float64), wins)

    @property
    def shared(self) -> Floats:
        """One match that everybody shares, added so that nobody is infinitely strong."""
        level: Floats = self.tables / self.tables.sum(axis=1, keepdims=True) / len(self.tables)
        return level

    def all(self) -> tuple[Floats, Floats]:
        """Return the tables, and who won how often."""
        return self.tables, self.wins.sum(axis=0) + self.shared

    def drawn(self, luck: random.Random) -> tuple[Floats, Floats]:
        """Return the same for as many blocks drawn at random; two more make sure that nothing seems certain.

        In each of them one match went to the one or to the other.
        """
        met = np.flatnonzero(self.tables.sum(axis=0))
        everything = np.eye(self.tables.shape[1])[met] / len(self.tables)
        blocks = [*self.wins, *(np.tile(row, (len(self.tables), 1)) for row in everything)]
        return self.tables, sum(luck.choices(blocks, k=len(blocks)), self.shared)


def counts(match: Played, entrants: int) -> tuple[int, ...]:
    """Return how many seats everybody has in a match."""
    return tuple(match.seating.count(entrant) for entrant in range(entrants))


def fitted(tables: Floats, wins: Floats) -> Floats:
    """Return the strengths that make the results most likely, if every seat wins as often as it is strong.

    This is the model of Bradley and Terry, for more than two seats that of Luce; each round makes them more likely.
    """
    strengths, played, won = np.ones(tables.shape[1]), wins.sum(axis=1), wins.sum(axis=0)
    for _ in range(ROUNDS):
        before = strengths
        strengths = won / (tables * (played / (tables @ strengths))[:, None]).sum(axis=0)
        strengths /= np.exp(np.mean(np.log(strengths)))
        if np.abs(np.log(strengths / before)).max() < CLOSE_ENOUGH:
            break
    return strengths


# --- Solo


def solo_document(label: str, matches: list[Played], goals: Mapping[str, int]) -> dict[str, Any]:
    """Describe solo games: the mean with its error bar, which part of them reached each goal, and the time."""
    scores = [match.scores[0] for match in matches]
    found, turns = mean_range(scores), sum(max(1, match.chances - 1) for match in matches)
    return {
        "bot": label,
        "games": len(scores),
        "mean": found.value,
        "error": found.high - found.value,
        "deviation": deviation(scores),
        "least": min(scores),
        "most": max(scores),
        **{goal: mean([reaches(match, points) for match in matches]) for goal, points in goals.items()},
        "ms a turn": 1000 * sum(match.clocks[0].seconds for match in matches) / turns,
    }


def reaches(match: Played, points: int) -> bool:
    """Say whether a solo game was played to its end and is worth so many points."""
    return match.verdict != "" and match.scores[0] >= points
