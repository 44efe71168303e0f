"""Erasing customers' personal data: on request, with a receipt, and when its time is over."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
