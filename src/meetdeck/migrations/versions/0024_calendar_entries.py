"""Time slots that are no meetings have a table of their own."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
