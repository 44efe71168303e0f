"""The outbox: an event in the transaction of each change."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
