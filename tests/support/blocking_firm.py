"""A firm for tests that are not asynchronous, such as those of hypothesis."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Address, Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import MONDAY_MORNING, HandClock
from support.holds import Cell, list_cells


class BlockingFirm:
    """The application on a database of its own, called without `await`, from outside of its event loop."""

    def __init__(self, runner: asyncio.Runner, api: Api, database: Database, clock: HandClock) -> None:
        self.runner, self.api, self.database, self.clock = runner, api, database, clock

    @classmethod
    @asynccontextmanager
    async def open(cls, runner: asyncio.Runner, address: Address, folder: Path) -> AsyncGenerator["BlockingFirm"]:
        clock = HandClock(MONDAY_MORNING)
        async with (
            Database(address, connections=2) as database,
            aclosing(make_services(database, clock, folder, MissingRenderer())) as services,
            Api.open(services) as api,
        ):
            yield cls(runner, api, database, clock)

    def forget(self) -> None:
        """Start without any bookings, on Monday morning."""
        self.clock.moment = MONDAY_MORNING
        self.runner.run(self._forget())

    def wait(self, minutes: int) -> None:
        """Advance the clock, and take a new token: they live an hour."""
        self.clock.advance(minutes=minutes)
        self.api = self.runner.run(self.api.of(NORDLYS))

    def call(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        return self.runner.run(self.api.request(method, f"v3/booking/{path}", **arguments))

    async def _forget(self) -> None:
        self.api = await self.api.of(NORDLYS)
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            await connection.execute("delete from meeting")
            await connection.execute("delete from time_slot")
            await connection.execute("delete from calendar_entry")

    def list_taken(self) -> list[tuple[Cell, str]]:
        """Return the half hours that the database holds, with their slots, except expired ones."""
        return self.runner.run(self._list_taken())

    async def _list_taken(self) -> list[tuple[Cell, str]]:
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            rows = await connection.fetch(
                "select resource_id, starts_at, ends_at, time_slot_id"
                " from occupancy join resource using (tenant_id, resource_key)"
                " where expires_at is null or expires_at > $1",
                self.clock(),
            )
        return [
            (cell, str(row["time_slot_id"]))
            for row in rows
            for cell in list_cells({str(row["resource_id"])}, (row["starts_at"], row["ends_at"]))
        ]
