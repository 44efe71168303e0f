"""Lists of a large firm are read in one pass."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
