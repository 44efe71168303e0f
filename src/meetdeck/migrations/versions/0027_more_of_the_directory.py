"""More of employees, topics and rooms, and choices of portals' fields."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
