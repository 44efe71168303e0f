"""Customer types, topics, locations, employees, rooms."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
