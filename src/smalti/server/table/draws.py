"""The luck of one table: what it is bound by, what chance does next, and the seals of what is decided in secret."""

from __future__ import annotations

from collections.abc import Sequence

from smalti.engine.match import Match
from smalti.server.luck import derive
from smalti.server.luck.shared_deal import dealt
from smalti.server.table.entries import Facts

Nonces = Sequence[str | None]  # by seat: what people's browsers have added


def commitment(facts: Facts) -> str | None:
    """Return what binds a table to its secret; nothing where the deal is known beforehand."""
    is_secret = facts.terms.fair > 0 and facts.terms.code is None
    return derive.commitment(facts.id, facts.secret) if is_secret else None


def drawn(facts: Facts, nonces: Nonces, match: Match) -> str:
    """Return what chance does next."""
    if not facts.terms.fair:
        return match.copy().draw(derive.draws(facts.secret, facts.id, len(match.events))).do
    source = derive.drawn(draw_key(facts, nonces, match), 1 + sum(event.by is None for event in match.events))
    return match.copy().draw(source).do if facts.terms.code is None else dealt(match, source)


def draw_key(facts: Facts, nonces: Nonces, match: Match) -> bytes:
    """Return the key of all draws at a table."""
    if facts.terms.code is not None:
        return derive.key_of_code(facts.game, facts.seats, match.options, facts.terms.code)
    return derive.key_of_table(facts.secret, facts.id, nonces)


def seal(facts: Facts, seat: int, do: str, event: int, given: str | None) -> tuple[str, str]:
    """Return the seal of a decision and the nonce that opens it: its page's, or one of ours."""
    nonce = given or derive.own_nonce(facts.secret, facts.id, event, seat)
    return derive.seal(facts.id, seat, do, nonce), nonce
