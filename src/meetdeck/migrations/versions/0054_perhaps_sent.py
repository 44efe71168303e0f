"""Messages whose delivery nobody confirmed are known as perhaps sent."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0054"
down_revision = "0053"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
