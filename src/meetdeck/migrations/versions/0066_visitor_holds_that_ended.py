"""Visitors' holds are known for a while after they have ended."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0066"
down_revision = "0065"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
