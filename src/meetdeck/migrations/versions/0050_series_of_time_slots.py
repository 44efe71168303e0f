"""Calendar entries that were made together: a series."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
