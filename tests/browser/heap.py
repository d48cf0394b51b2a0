"""What a page remembers: the strings in its memory, and what holds them there."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Page


class Heap:
    """Everything that can be reached in the memory of a page, rubbish thrown away."""

    def __init__(self, page: Page) -> None:
        told = json.loads(snapshot(page))
        meta = told["snapshot"]["meta"]
        self.strings: list[str] = told["strings"]
        self.nodes: list[int] = told["nodes"]
        self.edges: list[int] = told["edges"]
        self.width, self.edge_width = len(meta["node_fields"]), len(meta["edge_fields"])
        self.kinds: list[str] = meta["node_types"][0]
        self.edge_kinds: list[str] = meta["edge_types"][0]
        self.fields = {name: place for place, name in enumerate(meta["node_fields"])}

    def found(self, question: Callable[[str], bool]) -> list[int]:
        """Return the strings in memory of which this is true, as nodes."""
        chosen = {place for place, text in enumerate(self.strings) if question(text)}
        return [node for node in range(0, len(self.nodes), self.width) if self.is_text(node, chosen)]

    def is_text(self, node: int, chosen: set[int]) -> bool:
        """Say whether a node is one of these strings, and not only the name of something."""
        kind = self.kinds[self.nodes[node + self.fields["type"]]]
        return "string" in kind and self.nodes[node + self.fields["name"]] in chosen

    def ways(self, wanted: list[int]) -> str:
        """Tell for each of these nodes how it is held, from the root on."""
        before = self.shortest()
        return "\n".join(" < ".join(self.way(node, before)) for node in wanted)

    def way(self, node: int, before: dict[int, tuple[int, str]]) -> Iterator[str]:
        """Name what holds a node, what holds that, and so on."""
        yield repr(self.name(node)[:80])
        while node in before:
            node, edge = before[node]
            yield f"{edge} of {self.name(node)[:40]}"

    def name(self, node: int) -> str:
        """What a node is called."""
        return self.strings[self.nodes[node + self.fields["name"]]]

    def shortest(self) -> dict[int, tuple[int, str]]:
        """For each node, what holds it on the shortest way from the root that is not weak."""
        starts = self.first_edges()
        before: dict[int, tuple[int, str]] = {}
        waiting = deque([0])
        while waiting:
            node = waiting.popleft()
            for kind, name, to in self.edges_of(node, starts):
                if kind != "weak" and to not in before and to:
                    before[to] = (node, name)
                    waiting.append(to)
        return before

    def first_edges(self) -> list[int]:
        """Where the edges of each node begin."""
        starts, at = [], 0
        for node in range(0, len(self.nodes), self.width):
            starts.append(at)
            at += self.nodes[node + self.fields["edge_count"]] * self.edge_width
        return [*starts, at]

    def edges_of(self, node: int, starts: list[int]) -> Iterator[tuple[str, str, int]]:
        """The edges of a node: kind, name, and the node they lead to."""
        place = node // self.width
        for edge in range(starts[place], starts[place + 1], self.edge_width):
            kind, name, to = self.edges[edge : edge + 3]
            word = self.edge_kinds[kind]
            yield word, str(name) if word in ("element", "hidden") else self.strings[name], to


def snapshot(page: Page) -> str:
    """Throw away what nobody holds, then write down the memory of a page."""
    chunks: list[str] = []
    devtools = page.context.new_cdp_session(page)
    devtools.on("HeapProfiler.addHeapSnapshotChunk", lambda part: chunks.append(chunk_of(part)))
    devtools.send("HeapProfiler.enable")
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
    devtools.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    devtools.detach()
    return "".join(chunks)


def chunk_of(part: dict[str, Any]) -> str:
    """The text of a part of the snapshot."""
    return str(part["chunk"])
