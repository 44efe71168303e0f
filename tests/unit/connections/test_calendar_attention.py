"""Searching and reserving in a firm without a connection."""

from collections.abc import Iterator
from typing import Any, NoReturn, cast
from uuid import UUID

from meetdeck.connections.calendar_connections.service.attention import CalendarAttention
from meetdeck.platform.process import clock


class _Untouched:
    """A service that nobody may use."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"{name} was used")


async def test_a_firm_without_a_connection_asks_the_database_nothing() -> None:
    untouched = cast("Any", _Untouched())
    attention, tenant_id = CalendarAttention(untouched, untouched, clock.now), UUID(int=1)

    def list_employees() -> Iterator[UUID]:
        raise AssertionError("whoever was searched for was listed")
        yield tenant_id

    attention.record_search(tenant_id, list_employees())
    await attention.flush()
    assert await attention.read_again(tenant_id, untouched) is None
