"""The order of groups' members; triggers and service levels of service groups."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
