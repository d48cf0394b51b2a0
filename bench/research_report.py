"""Laying out the figures of the environments, framework by framework: speeds, then how they compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.peers import HOW_TO_INSTALL, Peer
from bench.report import Figures, Sheet, Titles, speed
from bench.research_peers import PGX_PEERS, SPIEL_PEERS, ZOO_PEERS
from smalti.measure import BATCH

SECTION = "figures of the environments"
PACKAGES = ("numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax")
SPEED = ["lowest – highest", "µs each"]
IDLE = "nothing, on the way of OpenSpiel's examples"


@dataclass(frozen=True)
class Sheets:
    """The figures, with the titles of our games: those in environments of one game, many at once, made by Gymnasium."""

    figures: Figures
    single: Titles
    many: Titles
    made: Titles
    sizes: Sequence[int]

    def all(self) -> list[Sheet]:
        """Lay out everything."""
        return [
            *(self.zoo(), self.beside("PettingZoo: how many times their speed", self.ours("zoo"), ZOO_PEERS)),
            *(self.spiel(), self.beside("OpenSpiel: how many times their speed", self.ours("spiel"), SPIEL_PEERS)),
            *(self.batches(), self.beside("1,024 games: how many times their speed", self.ways(), PGX_PEERS)),
            *(self.scaling(), self.others(), self.beginnings(), self.shares()),
        ]

    # --- Speeds

    def zoo(self) -> Sheet:
        """Lay out environments with agents in turn."""
        rows = [self.counted(key, title) for key, title in self.everybody(self.ours("zoo"), ZOO_PEERS)]
        return "PettingZoo, agents in turn", ["who", "steps a second", *SPEED], rows

    def spiel(self) -> Sheet:
        """Lay out games of OpenSpiel, with the actions and the decisions in their calls."""
        rows = []
        for key, title in (*self.everybody(self.ours("spiel"), SPIEL_PEERS), ("spiel.idle", IDLE)):
            found, in_a_call = self.figures["rates"].get(key), self.figures["in a call"].get(key)
            counts = ("actions", "decisions")
            more = [f"{found['median'] * in_a_call[count]:,.0f}" if found and in_a_call else "" for count in counts]
            rows.append([*self.counted(key, title), *more])
        return "OpenSpiel", ["who", "calls a second", *SPEED, "actions a second", "decisions a second"], rows

    def batches(self) -> Sheet:
        """Lay out 1,024 games at once."""
        rows = [speed(self.figures["rates"], *row) for row in self.everybody(self.ways(), PGX_PEERS)]
        return "1,024 games at once", ["who", "million steps/s", "lowest – highest", "ns each"], rows

    def scaling(self) -> Sheet:
        """Lay out batches of all sizes."""
        rates = self.figures["rates"]
        rows = [
            [title, *(f"{rates[f'many.{key}.{size}']['median'] / 1e6:.3g}" for size in self.sizes)]
            for key, title in self.many.items()
            if f"many.{key}.{self.sizes[0]}" in rates
        ]
        heads = ["million steps/s into the caller's buffers", *(f"{size:,}" for size in self.sizes)]
        return "So many games at once", heads, rows

    def others(self) -> Sheet:
        """Lay out Gymnasium's environments, and PettingZoo's with agents all at once."""
        gym = [self.counted(f"gym.{name}", f"Gymnasium: {title}") for name, title in self.made.items()]
        zoo = [self.counted(key, f"PettingZoo, all at once: {title}") for key, title in self.ours("together").items()]
        return "Other environments", ["who", "steps a second", *SPEED], gym + zoo

    def beginnings(self) -> Sheet:
        """Lay out how many games can be begun."""
        one = [self.counted(key, f"PettingZoo: {title}") for key, title in self.ours("reset").items()]
        many = [self.counted(f"many.{key}.reset", f"1,024 at once: {title}") for key, title in self.many.items()]
        return "Resets", ["who", "games a second", *SPEED], one + many

    def shares(self) -> Sheet:
        """Lay out what a step takes with nothing behind the framework, and what that is of ours."""
        rows = [
            self.share(f"{title} in {name}", f"{kind}.{key}", f"{kind}.{key}.idle")
            for kind, name in (("zoo", "PettingZoo"), ("spiel", "OpenSpiel"))
            for key, title in self.single.items()
        ]
        rows += [
            self.share(f"{title} in Gymnasium", f"gym.{name}", f"gym.{name}.idle") for name, title in self.made.items()
        ]
        heads = ["who", "µs a step", "of it the framework's", "share"]
        return "What the frameworks take", heads, [row for row in rows if row]

    # --- Rows

    def ours(self, kind: str) -> Titles:
        """Return our games in environments of one game, by their names among the figures."""
        return {f"{kind}.{key}": title for key, title in self.single.items()}

    def ways(self) -> Titles:
        """Return both ways of stepping each of our batches."""
        buffers = {f"many.{key}.{BATCH}": f"{title}, into the caller's buffers" for key, title in self.many.items()}
        return buffers | {f"many.{key}.new": f"{title}, into new arrays" for key, title in self.many.items()}

    def everybody(self, ours: Titles, peers: Iterable[Peer]) -> list[tuple[str, str]]:
        """List ours, then the peers."""
        return [*ours.items(), *((peer.key, peer.title) for peer in peers)]

    def counted(self, key: str, title: str) -> list[str]:
        """Lay out one speed as a plain number, or how to get it."""
        found = self.figures["rates"].get(key)
        if not found:
            return [title, "not installed", f"`{HOW_TO_INSTALL}`", ""]
        spread = f"{found['low']:,.0f} – {found['high']:,.0f}"
        return [title, f"{found['median']:,.0f}", spread, f"{1e6 / found['median']:.2f}"]

    def beside(self, title: str, ours: Titles, peers: Sequence[Peer]) -> Sheet:
        """Lay out how many times the speed of each peer ours have."""
        found = {(row["ours"], row["peer"]): row for row in self.figures["comparisons"]}
        floors = {row["peer"]: row["floor"] for row in self.figures["comparisons"]}
        heads = [f"{peer.title}, floor {floors[peer.key]:g} ×" if floors[peer.key] else peer.title for peer in peers]
        rows = [[name, *(verdict(found[key, peer.key]) for peer in peers)] for key, name in ours.items()]
        return title, ["ours", *heads], rows

    def share(self, title: str, ours: str, idle: str) -> list[str]:
        """Lay out the share of what does nothing."""
        rates = self.figures["rates"]
        if ours not in rates or idle not in rates:
            return []
        return shared(title, 1e6 / rates[ours]["median"], 1e6 / rates[idle]["median"])


def shared(title: str, whole: float, part: float) -> list[str]:
    """Lay out a time, a part of it, and its share."""
    return [title, f"{whole:.2f}", f"{part:.2f}", f"{part / whole:.0%}"]


def verdict(row: Figures) -> str:
    """Tell a ratio, and whether it is enough."""
    if row["ratio"] is None:
        return "–"
    return f"{row['ratio']:.2f} ×" + ("" if row["met"] is None else ", met" if row["met"] else ", not met")
