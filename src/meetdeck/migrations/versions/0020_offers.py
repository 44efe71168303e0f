"""A setting that customers book only offered slots, and a flag of rooms that were given rather than named."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
