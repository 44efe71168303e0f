"""Former keys of the digests in receipts of erasures."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
