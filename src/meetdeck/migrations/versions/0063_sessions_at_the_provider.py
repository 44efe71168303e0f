"""The provider's part of a console session, and sessions at the built-in issuer."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0063"
down_revision = "0062"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
