"""The schedule of a new employee (docs/api/employees-and-topics.md); schedules are changed in the configuration."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.booking import defaults
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "default_schedules.sql")


async def add_default_schedules(connection: Connection, employee_ids: Sequence[UUID]) -> None:
    """Insert a schedule for each employee without one: Monday to Friday, in the organization's opening hours."""
    await queries.add_default_schedules(
        connection,
        employee_ids=employee_ids,
        opening_time=defaults.OPENING_TIME,
        closing_time=defaults.CLOSING_TIME,
    )
