"""Calendar entries are analyzed at the end of an import, too."""

from meetdeck.migrations.sql import run_sql_beside

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Run the SQL file of the same name."""
    run_sql_beside(__file__)
