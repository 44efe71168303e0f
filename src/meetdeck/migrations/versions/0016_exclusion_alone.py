"""The index of the exclusion constraint serves the constraint alone."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
