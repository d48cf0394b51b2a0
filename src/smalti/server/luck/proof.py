"""What proves that a finished game was dealt fairly, and the check that anybody can make: `smalti verify`, the pages.

Pure: a proof, the events of a game, and what follows from the one for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from smalti.engine.errors import BadRecord, Refused
from smalti.engine.game import Game
from smalti.engine.match import Event, Match
from smalti.engine.records import Record
from smalti.server.luck import derive
from smalti.server.luck.shared_deal import dealt


class Opening(msgspec.Struct):
    """What opens a seal: the event of the record that was sealed, its nonce, and the seal."""

    event: int
    nonce: str
    seal: str


class Proof(msgspec.Struct):
    """Everything that the draws of a game follow from; in a record it stands under `fairness`."""

    version: int
    table: str
    commitment: str | None = None  # shown from the making of the table on
    secret: str | None = None
    nonces: list[str | None] = []  # by seat; null for bots
    code: str | None = None  # of a deal known beforehand, instead of all these
    after: int = 0  # events that were there when the table was made
    seals: list[Opening] = []


class Draw(msgspec.Struct):
    """An event of chance: what happened, and what follows from the proof."""

    event: int
    number: int  # among the events of chance
    words: list[str]  # 64 bits each, as hexadecimal digits
    do: str
    expected: str


class Seal(msgspec.Struct):
    """A sealed decision and what opens its seal."""

    event: int
    seat: int
    do: str
    nonce: str
    seal: str
    expected: str


class Checked(msgspec.Struct):
    """What came of a check."""

    commitment: str | None  # that the secret leads to
    draws: list[Draw]
    seals: list[Seal]


def proof_in(record: Record) -> Proof | None:
    """Return the proof that a record carries; what cannot be understood raises `BadRecord`."""
    if "fairness" not in record.extra:
        return None
    try:
        proof = msgspec.convert(record.extra["fairness"], Proof)
        bytes.fromhex(proof.secret or "")
        msgspec.json.encode(proof).decode()  # half a character cannot be part of anything that is hashed
    except (msgspec.ValidationError, ValueError) as error:
        raise BadRecord(f"'fairness' cannot be understood: {error}") from None
    if proof.version != derive.FAIR:
        raise BadRecord(f"'fairness' has version {proof.version}; expected {derive.FAIR}")
    if proof.secret is None and proof.code is None:
        raise BadRecord("'fairness' has neither a secret nor a code")
    return proof


def key_of(proof: Proof, game: str, seats: int, options: Mapping[str, str]) -> bytes:
    """Return the key of the draws that a proof leads to."""
    if proof.code is not None:
        return derive.key_of_code(game, seats, options, proof.code)
    return derive.key_of_table(bytes.fromhex(proof.secret or ""), proof.table, proof.nonces)


def checked(proof: Proof, game: Game, seats: int, options: Mapping[str, str], events: Sequence[Event]) -> Checked:
    """Work out every draw and every seal of a game from its proof."""
    complete = game.checked_options(options)
    key = key_of(proof, game.name, seats, complete)
    match, draws = Match(game, seats, complete), list[Draw]()
    for number, event in enumerate(events, 1):
        if event.by is None:
            draws.append(draw_of(match, key, number, event.do, proof.code is not None))
        match.play(*event)
    later = [draw for draw in draws if draw.event > proof.after]
    secret = bytes.fromhex(proof.secret) if proof.secret is not None and proof.code is None else None
    commitment = None if secret is None else derive.commitment(proof.table, secret)
    return Checked(commitment, later, [seal_of(proof.table, opening, events) for opening in proof.seals])


def draw_of(match: Match, key: bytes, event: int, do: str, by_code: bool) -> Draw:
    """Draw what chance has to do now from the key."""
    words, number = list[str](), 1 + sum(before.by is None for before in match.events)
    source = noting(derive.drawn(key, number), words)
    expected = dealt(match, source) if by_code else match.copy().draw(source).do
    return Draw(event, number, words, do, expected)


def noting(source: derive.Source, words: list[str]) -> Callable[[int], int]:
    """Return a source that notes what it gives."""

    def note(move: int) -> int:
        found = source(move)
        words.append(f"{found:016x}")
        return found

    return note


def seal_of(table: str, opening: Opening, events: Sequence[Event]) -> Seal:
    """Seal again what was decided."""
    if not 1 <= opening.event <= len(events):
        raise BadRecord(f"'fairness' opens the seal of event {opening.event}; there are {len(events)} events")
    seat, do = events[opening.event - 1]
    if seat is None:
        raise BadRecord(f"'fairness' opens the seal of event {opening.event}, which is one of chance")
    expected = derive.seal(table, seat, do, opening.nonce)
    return Seal(opening.event, seat, do, opening.nonce, opening.seal, expected)


def problem(proof: Proof, found: Checked) -> Refused | None:
    """Say what of a game does not follow from its proof, the first of it."""
    if found.commitment is not None and found.commitment != proof.commitment:
        return unfair("commitment", "the secret does not fit the commitment that was shown before the game")
    for draw in found.draws:
        if draw.do != draw.expected:
            sentence = f"what chance did does not follow from the proof, which gives {draw.expected}"
            return unfair("draw", sentence, draw.event, expected=draw.expected)
    for seal in found.seals:
        if seal.seal != seal.expected:
            return unfair("seal", "what was decided does not fit its seal", seal.event)
    return None


def unfair(key: str, sentence: str, event: int | None = None, **values: Any) -> Refused:
    """Say that something does not follow from the proof."""
    refused = Refused("fairness", f"fairness.{key}", sentence, values)
    refused.event = event
    return refused


def praise(proof: Proof, found: Checked) -> str:
    """Say in words that everything follows from the proof."""
    draws = f"{len(found.draws)} of {len(found.draws)} draws follow from"
    sealed = f", {len(found.seals)} of {len(found.seals)} seals fit" if found.seals else ""
    if proof.code is not None:
        return f"{draws} the code, which was known beforehand, so the game counts for nothing{sealed}"
    return f"the secret fits its commitment, {draws} it{sealed}"
