"""Running the plain SQL of a migration step."""

from pathlib import Path

from alembic import op
from sqlalchemy.connectors.asyncio import AsyncAdapt_dbapi_connection


def run_sql_beside(step_file: str) -> None:
    """Run the `.sql` file beside a step, whole, in the migration's transaction.

    It goes to asyncpg itself: SQLAlchemy prepares each statement, and PostgreSQL prepares one statement at a time.
    """
    statements = Path(step_file).with_suffix(".sql").read_text(encoding="utf-8")
    connection = op.get_bind().connection.dbapi_connection
    if not isinstance(connection, AsyncAdapt_dbapi_connection):
        raise TypeError("Migrations run over asyncpg.")
    connection.run_async(lambda driver: driver.execute(statements))
