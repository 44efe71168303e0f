"""People of the built-in token issuer."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
