"""Reminders of meetings."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
