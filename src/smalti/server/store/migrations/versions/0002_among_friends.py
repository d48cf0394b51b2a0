"""What was agreed at a table, when its clock runs out, where it came from; several holders of a seat; notices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    op.add_column("matches", sa.Column("terms", sa.Text, nullable=False, server_default="{}"))
    op.add_column("matches", sa.Column("origin", sa.String(16), nullable=False, server_default="new"))
    op.add_column("matches", sa.Column("code", sa.String(64)))
    op.add_column("matches", sa.Column("due", sa.Double))
    op.create_index("matches_due", "matches", ["stage", "due"])
    op.create_index("matches_code", "matches", ["code"])
    replace_holders(sa.PrimaryKeyConstraint("match", "seat", "holder"))
    op.create_table(
        "notices",
        sa.Column("endpoint", sa.String(1024), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("key", sa.String(256), nullable=False),
        sa.Column("auth", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )
    op.create_index("ix_notices_holder", "notices", ["holder"])
    op.create_table(
        "kept",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    for was_open, mode in (("false", "none"), ("true", "link")):
        replace_watching(f'{{"open":{was_open}}}', f'{{"mode":"{mode}"}}')
    # What is played stands in a list only if everybody may look on, which nobody could choose before.
    op.execute("UPDATE matches SET listed = FALSE WHERE stage <> 'gathering'")


def downgrade() -> None:
    """Go back."""
    for mode, was_open in (("none", "false"), ("link", "true"), ("all", "true")):
        replace_watching(f'{{"mode":"{mode}"}}', f'{{"open":{was_open}}}')
    op.drop_table("kept")
    op.drop_table("notices")
    replace_holders(sa.PrimaryKeyConstraint("match", "seat"))
    op.drop_index("matches_code", "matches")
    op.drop_index("matches_due", "matches")
    for name in ("due", "code", "origin", "terms"):
        op.drop_column("matches", name)


def replace_watching(before: str, after: str) -> None:
    """Write anew what logs say of onlookers."""
    watching = sa.table("events", sa.column("kind"), sa.column("body"))
    chosen = sa.and_(watching.c.kind == "watch", watching.c.body == before)
    op.execute(sa.update(watching).where(chosen).values(body=after))


def replace_holders(key: sa.PrimaryKeyConstraint) -> None:
    """Give the table of holders another primary key, which SQLite cannot alter: by a new table."""
    op.drop_index("ix_holders_holder", "holders")
    op.rename_table("holders", "holders_before")
    op.create_table(
        "holders",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        key,
    )
    kept = "SELECT match, seat, MIN(holder) FROM holders_before GROUP BY match, seat"
    op.execute(f"INSERT INTO holders (match, seat, holder) {kept}")
    op.drop_table("holders_before")
    op.create_index("ix_holders_holder", "holders", ["holder"])
