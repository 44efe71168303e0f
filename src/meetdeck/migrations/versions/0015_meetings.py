"""Meetings: indexes for their lists, their history, and data with a retention period."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
