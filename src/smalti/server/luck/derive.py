"""The dealer: where every deal, draw and roll comes from, and what can be shown about it before and after.

The secret of a table is bound by its commitment before anybody has added anything to it. The key of its draws is made
of the secret and of what every person's browser has added; each draw is an HMAC of the key with a label of its own.
Nothing that is published while the game goes on leads to any of it. A deal that several tables share has a key that
follows from its code alone. docs/fairness.md tells all of this in words, docs/fairness-vectors.json in numbers.

The luck of the bots comes from the secret, too: another one for each seat, and the same for a whole match, because
whoever errs like a person has opinions and keeps them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence

FAIR = 1  # the way of dealing of new tables; 0 is the one before there were commitments
NO_NONCE = "-"  # of a bot

Source = Callable[[int], int]  # 64 bits for each small move of one event of chance, by its number


# --- What is shown before the game


def commitment(table: str, secret: bytes) -> str:
    """Return what binds a table to its secret without telling anything of it."""
    return digest(f"smalti-commit/1 {table} {secret.hex()}").hex()


# --- What the draws come from


def key_of_table(secret: bytes, table: str, nonces: Sequence[str | None]) -> bytes:
    """Return the key of a table's draws: its secret, mixed with what the people on its seats have added."""
    added = " ".join(nonce or NO_NONCE for nonce in nonces)
    return hmac.digest(secret, f"smalti-key/1 {table} {added}".encode(), "sha256")


def key_of_code(game: str, seats: int, options: Mapping[str, str], code: str) -> bytes:
    """Return the key of a deal that several tables share; whoever knows the code knows it."""
    chosen = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
    return digest(f"smalti-code/1 {game} {seats} [{chosen}] {code}")


def drawn(key: bytes, number: int) -> Source:
    """Return the source for an event of chance, the first of a match being number 1."""
    return lambda move: word(key, f"smalti-draw/2 {number} {move}")


def draws(secret: bytes, match: str, event: int) -> Source:
    """Return the source for an event of chance as it was before there were commitments."""
    return lambda move: word(secret, f"smalti-draw/1 {match} {event} {move}")


# --- What is decided under seal


def seal(table: str, seat: int, do: str, nonce: str) -> str:
    """Return what binds a seat to what it has decided under seal without telling what that is."""
    return digest(f"smalti-seal/1 {table} {seat} {do} {nonce}").hex()


def own_nonce(secret: bytes, table: str, event: int, seat: int) -> str:
    """Return the nonce of a seal for which nobody's browser has made one, such as a bot's."""
    return hmac.digest(secret, f"smalti-seal-nonce/1 {table} {event} {seat}".encode(), "sha256").hex()


# --- The rest


def luck_of_bot(secret: bytes, match: str, seat: int) -> int:
    """Return the seed of a bot on a seat."""
    return word(secret, f"smalti-bot/1 {match} {seat}")


def word(key: bytes, label: str) -> int:
    """Return 64 bits that depend on the key and the label alone."""
    return int.from_bytes(hmac.digest(key, label.encode(), "sha256")[:8], "big")


def digest(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).digest()
