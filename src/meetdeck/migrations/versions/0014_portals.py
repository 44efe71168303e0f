"""Portals: their fields, and the meetings that outlive them."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
