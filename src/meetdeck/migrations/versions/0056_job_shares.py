"""Shares of tenants and lanes among the jobs that a process has in work."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
