"""Sessions of staff at the console."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
