"""Messages to the people of meetings, and the words that firms chose for them."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
