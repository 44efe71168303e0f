"""A firm one of whose advisors has a mailbox at the fake of Graph, which is only read."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CONNECTIONS, Graph, serve_graph, write_connection

SECRETS: Final = ("Knee operation", "Clinic Nord")


class ReadFirm:
    """Anna's mailbox at the fake, and the connection to it."""

    def __init__(self, graph: Graph, address: str, elevated: Api, anna: str) -> None:
        self.graph = graph
        self.address = address
        self.elevated = elevated
        self.anna = anna

    async def connect(self, **members: Any) -> dict[str, Any]:
        """Add a connection to the fake."""
        made = await self.elevated.post(CONNECTIONS, write_connection(self.address, **members))
        assert made.status_code == 201, made.text
        return made.json()

    def write(self, hours: int = 0, show_as: str = "busy") -> None:
        """Write an appointment into Anna's calendar, some hours after ten on that Tuesday."""
        begin = TUESDAY_AT_TEN + timedelta(hours=hours)
        start, end = ({"dateTime": f"{time:%Y-%m-%dT%H:%M:%S}"} for time in (begin, begin + timedelta(hours=1)))
        event = {"subject": SECRETS[0], "location": {"displayName": SECRETS[1]}, "showAs": show_as}
        self.graph.plant(events=[{"mail": self.anna, "event": event | {"start": start, "end": end}}])

    async def read(self, connection: dict[str, Any]) -> dict[str, Any]:
        """Read at once, and return the connection after it."""
        answer = await self.elevated.post(f"{CONNECTIONS}/{connection['id']}/read", {})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def list_events(self, services: Services, clock: HandClock) -> list[tuple[str, str]]:
        """Return the events about connections in the feed, each with the status that it tells."""
        await services.routing.route(clock())
        events = (await self.elevated.get("v3/events")).json()["items"]
        return [(one["type"], one["data"]["status"]) for one in events if one["type"].startswith("calendar.")]

    def count_readings(self) -> int:
        """Return how often schedules were asked for."""
        return sum("getSchedule" in each.path for each in self.graph.world.asked)

    async def find_free(self) -> list[int]:
        """Return when the search offers Anna online, in hours after ten on that Tuesday."""
        found = await self.elevated.get("v3/booking/time-slots/available", params=self._make_query_for_anna())
        assert found.status_code == 200, found.text
        begins = [datetime.fromisoformat(each["startDate"]) for each in found.json()]
        return [int((begin - TUESDAY_AT_TEN).total_seconds()) // 3600 for begin in begins if begin.minute == 0]

    async def explain(self) -> list[dict[str, Any]]:
        """Return the explanation of each half hour of Anna's Tuesday."""
        day = {"employeeId": self.elevated.id_of("employee", "Anna Holm"), "date": TUESDAY_AT_TEN.date().isoformat()}
        found = await self.elevated.get("v3/booking/time-slots/explain", params=self._make_query_for_anna() | day)
        assert found.status_code == 200, found.text
        return found.json()["starts"]

    def _make_query_for_anna(self) -> dict[str, Any]:
        return {
            "startDate": TUESDAY_AT_TEN.isoformat(),
            "lookForwardTime": "04:00:00",
            "meetingTypes": "Online",
            "explicitEmployeeIds": self.elevated.id_of("employee", "Anna Holm"),
            "employeeTypes": "Explicit",
            "requireEmployeeParticipation": "false",
        }

    async def list_times(self) -> list[tuple[int, str]]:
        """Return Anna's times from calendars: hours after ten on that Tuesday, and status."""
        times = {
            "startDate": (TUESDAY_AT_TEN - timedelta(days=1)).isoformat(),
            "endDate": (TUESDAY_AT_TEN + timedelta(days=1)).isoformat(),
            "employeeId": self.elevated.id_of("employee", "Anna Holm"),
        }
        found = list[dict[str, Any]]()
        for status in ("Busy", "WorkingFromElsewhere"):
            found += (await self.elevated.get("v3/booking/time-slots", params=times | {"status": status})).json()
        return sorted(
            (int(one["startTime"][11:13]) - TUESDAY_AT_TEN.hour, one["status"])
            for one in found
            if one.get("source") == "calendar"
        )


@asynccontextmanager
async def open_read_firm(elevated: Api, clock: HandClock) -> AsyncGenerator[ReadFirm]:
    """Lend the firm of an elevated caller; the fake's clock stands at the caller's time."""
    employee = (await elevated.get(f"v3/booking/employees/{elevated.id_of('employee', 'Anna Holm')}")).json()
    graph = Graph()
    graph.world.clock.stop_at(clock())
    graph.plant_firm(employee["email"], "stranger@firm.test")
    async with serve_graph(graph) as address:
        yield ReadFirm(graph, address, elevated, employee["email"])
