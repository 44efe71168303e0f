"""Limits of an hour or a day beside those of a minute."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
