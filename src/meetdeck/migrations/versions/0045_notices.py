"""Notices: offers of the waiting list, and documents of meetings."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
