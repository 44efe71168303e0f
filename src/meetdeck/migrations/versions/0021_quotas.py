"""The storage used by a tenant, counted by triggers, and its quota."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
