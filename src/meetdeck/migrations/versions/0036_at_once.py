"""Reserving and booking in one statement."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
