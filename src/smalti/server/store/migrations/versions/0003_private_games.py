"""Who may find a finished game; whether rows were changed from outside.

What was finished before is listed only if its table was open to everybody and people met there.
"""

from __future__ import annotations

import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    op.add_column("matches", sa.Column("finders", sa.String(8), nullable=False, server_default="link"))
    op.add_column("matches", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("matches_ended", "matches")
    op.create_index("matches_ended", "matches", ["stage", "finders", "ended"])
    op.create_index("matches_host", "matches", ["host"])
    show_games_of_open_tables()


def downgrade() -> None:
    """Go back."""
    op.drop_index("matches_host", "matches")
    op.drop_index("matches_ended", "matches")
    op.create_index("matches_ended", "matches", ["stage", "ended"])
    op.drop_column("matches", "revision")
    op.drop_column("matches", "finders")


def show_games_of_open_tables() -> None:
    """Let everybody find the finished games of tables that stood in the lobby and at which people met."""
    events = sa.table("events", sa.column("match"), sa.column("kind"), sa.column("body"))
    matches = sa.table("matches", sa.column("id"), sa.column("stage"), sa.column("origin"), sa.column("finders"))
    rows = op.get_bind().execute(sa.select(events.c.match, events.c.kind, events.c.body).where(
        events.c.kind.in_(["list", "sit"])))  # fmt: skip
    people: defaultdict[str, set[str]] = defaultdict(set)
    were_open = set()
    for match, kind, body in rows:
        told = json.loads(body)
        if kind == "sit":
            people[match].add(told["holder"])
        elif told["listed"]:
            were_open.add(match)
    found = sorted(match for match in were_open if len(people[match]) > 1)
    played = sa.and_(matches.c.stage == "over", matches.c.origin != "import")
    for match in found:
        op.execute(sa.update(matches).where(played, matches.c.id == match).values(finders="all"))
