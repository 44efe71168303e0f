"""The waiting list: wishes, times that became free, and offers."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
