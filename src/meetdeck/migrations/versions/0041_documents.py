"""A deck for each meeting: rules, what was made, and what is to be made."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
