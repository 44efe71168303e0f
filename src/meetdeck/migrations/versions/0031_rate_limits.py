"""The requests of the last minute, counted for all processes, and a tenant's own limit."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
