"""Sessions of the console keep the last change for its undoing."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
