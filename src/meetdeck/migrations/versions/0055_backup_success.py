"""When the last backup succeeded."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0055"
down_revision = "0054"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
