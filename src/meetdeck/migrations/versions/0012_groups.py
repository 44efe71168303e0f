"""What groups are made of, in the order it was written; when and how service groups serve."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
