"""Meetings: finding them, their history, and what is kept of them for a while only."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
