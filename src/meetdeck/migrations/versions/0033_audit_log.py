"""The audit log of administration."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
