"""Alembic's entry point: one transaction for all steps, one process at a time."""

from alembic import context
from sqlalchemy import Connection, text

LOCK = 6211947  # an arbitrary number: processes that start together migrate one after the other


def migrate(connection: Connection) -> None:
    """Run the steps that the database does not have yet."""
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        context.run_migrations()


migrate(context.config.attributes["connection"])
