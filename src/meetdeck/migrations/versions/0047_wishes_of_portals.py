"""Wishes that are left on a portal's page."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
