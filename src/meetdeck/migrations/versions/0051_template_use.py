"""How many decks are made of each template."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
