"""Recipes of decks."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
