"""Bookings that wait until the customer's e-mail address is confirmed."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0065"
down_revision = "0064"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
