"""Jobs: work that is due at a time, for whichever process takes it."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
