"""What cannot be delivered, for operators."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
