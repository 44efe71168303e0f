"""Locking resources or a token, and reading under the lock, are one round trip."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
