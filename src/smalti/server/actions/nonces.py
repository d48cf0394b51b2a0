"""What a table's people agree on and add to its luck before the first draw."""

from __future__ import annotations

import msgspec

from smalti.server.actions.text_input import checked_code, checked_nonce
from smalti.server.luck import derive
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Nonce
from smalti.server.table.log import Log
from smalti.server.table.terms import Terms
from smalti.server.wire.http import Nonces


def settled(terms: Terms) -> Terms:
    """Return the terms of a new table: dealt as we do it now, with a code that can be shown."""
    code = None if terms.code is None else checked_code(terms.code)
    return msgspec.structs.replace(terms, fair=derive.FAIR, code=code)


async def add_nonces(room: Room, wish: Nonces, holder: str | None) -> None:
    """Take what a browser adds to the luck for its seats; a second one for a seat changes nothing."""
    nonces = {seat: checked_nonce(nonce) for seat, nonce in wish.nonces.items()}

    def decide(log: Log) -> list[Entry]:
        if not set(nonces) <= set(log.held_by(holder)):
            raise Problem("not-yours")
        if wish.commitment != log.commitment:
            raise Problem("commitment")
        owing = [seat for seat in sorted(nonces) if log.owes_nonce(seat)]
        return [append(log, Nonce(nonce=nonces[seat]), seat) for seat in owing]

    await room.happen(decide, holder)
