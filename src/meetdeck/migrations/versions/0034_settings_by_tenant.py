"""Settings of organizations are unique by their tenant alone."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
