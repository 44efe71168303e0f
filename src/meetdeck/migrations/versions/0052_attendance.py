"""Meetings know whether the customer came."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
