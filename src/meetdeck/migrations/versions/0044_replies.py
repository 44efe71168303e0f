"""Answers to invitations come before their tenant is known."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
