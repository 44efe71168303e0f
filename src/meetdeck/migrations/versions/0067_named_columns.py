"""Functions that return rows name the columns."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0067"
down_revision = "0066"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
