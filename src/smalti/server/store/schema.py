"""The tables of the database, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

# One row a table: what never changes, and what lists are chosen by.
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("made", sa.Double, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("host", sa.String(64), nullable=False),
    sa.Column("stage", sa.String(16), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("ended", sa.Double),
    sa.Column("terms", sa.Text, nullable=False, server_default="{}"),  # what was agreed when it was made
    sa.Column("origin", sa.String(16), nullable=False, server_default="new"),  # or "fork", "import"
    sa.Column("code", sa.String(64)),  # of a deal that several tables share
    sa.Column("due", sa.Double),  # when the first clock runs out, or the time for answers to a proposal
    sa.Column("finders", sa.String(8), nullable=False, server_default="link"),  # who may find it when it is over
    sa.Column("revision", sa.Integer, nullable=False, server_default="0"),  # raised when rows are changed from outside
    sa.Index("matches_listed", "stage", "listed", "made"),
    sa.Index("matches_ended", "stage", "finders", "ended"),
    sa.Index("matches_due", "stage", "due"),
    sa.Index("matches_host", "host"),
    sa.Index("matches_code", "code"),
)

# The logs. The primary key lets only one writer have a number.
events = sa.Table(
    "events",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("id", sa.String(64)),
)

# Which browsers hold which seat, to find the games of mine: more than one while a seat is lent.
holders = sa.Table(
    "holders",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("holder", sa.String(64), primary_key=True, index=True),
)

# Where browsers want to be told that it is their turn while they are closed (web push).
notices = sa.Table(
    "notices",
    metadata,
    sa.Column("endpoint", sa.String(1024), primary_key=True),
    sa.Column("holder", sa.String(64), nullable=False, index=True),
    sa.Column("key", sa.String(256), nullable=False),
    sa.Column("auth", sa.String(64), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("made", sa.Double, nullable=False),
)

# Secrets of the whole site, made at its first start.
kept = sa.Table(
    "kept",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
