"""Fairness at a table: what is agreed about its luck, what browsers add to it, and the proof when the game is over.

The mathematics stands in `dealer`, the check in `proof`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from smalti.server import dealer, proof
from smalti.server.bodies import Fairness, Nonces
from smalti.server.entries import Entry, Happened
from smalti.server.log import Log
from smalti.server.problems import Problem
from smalti.server.rooms import Room, entry
from smalti.server.terms import Terms
from smalti.server.typed import checked_code, checked_nonce


def settled(terms: Terms) -> Terms:
    """Return the terms of a new table: dealt as we do it now, with a code that can be shown."""
    code = None if terms.code is None else checked_code(terms.code)
    return msgspec.structs.replace(terms, fair=dealer.FAIR, code=code)


async def add_nonces(room: Room, wish: Nonces, holder: str | None) -> None:
    """Take what a browser adds to the luck for its seats; a second one for a seat changes nothing."""
    nonces = {seat: checked_nonce(nonce) for seat, nonce in wish.nonces.items()}

    def decide(log: Log) -> list[Entry]:
        if not set(nonces) <= set(log.held_by(holder)):
            raise Problem("not-yours")
        if wish.commitment != log.commitment:
            raise Problem("commitment")
        owing = [seat for seat in sorted(nonces) if log.owes_nonce(seat)]
        return [entry(log, "nonce", seat, {"nonce": nonces[seat]}) for seat in owing]

    await room.happen(decide, holder)


def proof_of(log: Log) -> proof.Proof | None:
    """Return what proves how a finished game was dealt; none for those played before there were proofs."""
    facts, code = log.facts, log.facts.terms.code
    if not facts.terms.fair:
        return None
    after = log.start.n if log.start else 0  # what happened before was dealt elsewhere
    seals = [
        proof.Opening(number, happened.nonce, happened.seal)
        for number, happened in enumerate(standing(log), 1)
        if number > after and happened.nonce is not None and happened.seal is not None
    ]
    if code is not None:
        return proof.Proof(facts.terms.fair, facts.id, code=code, after=after, seals=seals)
    found = proof.Proof(facts.terms.fair, facts.id, log.commitment, facts.secret.hex(), list(log.nonces))
    return msgspec.structs.replace(found, after=after, seals=seals)


def standing(log: Log) -> list[Happened]:
    """List the events that the record of a game has, in its order."""
    return [happened for happened in log.happened if happened.stands]


def fairness_of(log: Log) -> Fairness:
    """Tell what proves how a finished game was dealt, with every draw worked out again."""
    found = proof_of(log)
    if found is None:
        raise Problem("unproven")
    match = log.match
    checked = proof.checked(found, match.game, match.seats, match.options, match.events)
    numbers = [happened.number for happened in standing(log)]
    return Fairness(found, checked.commitment, checked.draws, checked.seals, numbers)


def record_keys(log: Log) -> dict[str, Any]:
    """Return what the record of a finished game says about its luck."""
    found, code = proof_of(log), log.facts.terms.code
    told = {} if found is None else msgspec.to_builtins(found)
    keys = {"fairness": {key: value for key, value in told.items() if value}} if told else {}
    return keys if code is None else {"code": code, **keys}
