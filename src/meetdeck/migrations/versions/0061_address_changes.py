"""Changes of a customer's e-mail address that wait for a word from the old one."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
