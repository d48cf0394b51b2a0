"""Finished games whose table was taken from the lobby before the game began are not for everybody.

They were promised as not listed, and stood in the archive nevertheless, because the table had been open once.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    matches = sa.table("matches", sa.column("id"), sa.column("finders"))
    found = op.get_bind().execute(sa.select(matches.c.id).where(matches.c.finders == "all"))
    for match in [match for (match,) in found if not began_open(match)]:
        op.execute(sa.update(matches).where(matches.c.id == match).values(finders="link"))


def downgrade() -> None:
    """Go back; what was promised stays so."""


def began_open(match: str) -> bool:
    """Say whether a table stood in the lobby when chance or a seat first acted there, which is when the game began."""
    events = sa.table("events", sa.column("match"), sa.column("n"), sa.column("kind"), sa.column("body"))
    rows = op.get_bind().execute(sa.select(events.c.kind, events.c.body).where(
        events.c.match == match, events.c.kind.in_(["list", "play"])).order_by(events.c.n))  # fmt: skip
    is_open = False
    for kind, body in rows:
        if kind == "play":
            break
        is_open = json.loads(body)["listed"]
    return is_open
