"""Texts in several languages."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
