"""Alembic's entry point: one transaction for all steps, one process at a time, and no traffic waiting for long."""

from pathlib import Path
from typing import Final

from alembic import context
from sqlalchemy import Connection, text

from meetdeck.migrations.locks import find_limits, find_locks, render_locking

LOCK: Final = 6211947  # an arbitrary number: processes that start together migrate one after the other
DEADLOCK_MS: Final = "select setting::int from pg_settings where name = 'deadlock_timeout'"
VERSIONS: Final = Path(__file__).parent / "versions"


def migrate(connection: Connection) -> None:
    """Run the steps that the database does not have yet."""
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        lock_tables(connection)
        context.run_migrations()


def lock_tables(connection: Connection) -> None:
    """Take the locks of all steps to come, all of them within a moment.

    Raises what PostgreSQL says when one is not to be had: whoever asks for the table meanwhile waits behind us.
    """
    present = context.get_context().get_current_revision()
    if present is None:
        return
    steps = [path for path in VERSIONS.glob("*.sql") if path.name.partition("_")[0] > present]
    locks = find_locks(path.read_text(encoding="utf-8") for path in sorted(steps))
    limits = find_limits(connection.execute(text(DEADLOCK_MS)).scalar_one())
    connection.execute(text(f"set local lock_timeout = {limits.lock_ms}"))
    connection.execute(text(f"set local statement_timeout = {limits.locking_ms}"))
    connection.exec_driver_sql(render_locking(locks))
    connection.execute(text("set local statement_timeout to default"))


migrate(context.config.attributes["connection"])
