"""Groups below groups, and the organization's rules of a day."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
