"""Webhooks: receivers of events, their secrets, and what was sent to them."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
