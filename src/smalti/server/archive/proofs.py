"""The proof of a finished game's luck; the mathematics stands in `luck.derive`, the check in `luck.proof`."""

from __future__ import annotations

from typing import Any

import msgspec

from smalti.server.luck import proof
from smalti.server.problems import Problem
from smalti.server.table.history import Happened
from smalti.server.table.log import Log
from smalti.server.wire.http import Fairness


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
    found = proof.Proof(facts.terms.fair, facts.id, log.commitment, facts.secret.hex(), list(log.seating.nonces))
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
