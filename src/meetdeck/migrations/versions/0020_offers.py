"""Whether customers book only what the search offers, and which rooms were given to meetings by themselves."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
