"""Each row's own file in storage."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
