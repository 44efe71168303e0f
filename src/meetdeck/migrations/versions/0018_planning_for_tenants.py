"""Statements of one tenant are planned alike, whichever it is."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
