"""Deck templates and their revisions."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
