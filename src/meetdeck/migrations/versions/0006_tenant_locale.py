"""The language of a tenant's decks."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
