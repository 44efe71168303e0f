"""Tenants can be disabled; keys and clients have names."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
