"""A firm whose advisors' calendars are written at the fake of Microsoft Graph."""

from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from graph_fake.calendars import Calendars
from graph_fake.directory import Person
from graph_fake.events import Draft, Event
from graph_fake.times import DateTimeTimeZone
from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.carriers.kept import KeptMail, list_mails
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CONNECTIONS, TENANT, Graph, serve_graph, write_connection
from support.searches import change
from support.working import work

SETTINGS: Final = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
MEETINGS: Final = "v3/booking/meetings"
HOUR: Final = timedelta(hours=1)


class WritingFirm:
    """A firm with a connection that writes into the mailboxes of Anna and Bo."""

    def __init__(self, graph: Graph, address: str, api: Api, clock: HandClock, services: Services) -> None:
        self.graph = graph
        self.address = address
        self.api = api
        self.clock = clock
        self.services = services
        self.connection = ""
        self.mails: dict[str, str] = {}
        self._earlier = 0

    async def connect(self, delay: str = "00:00:00", **members: Any) -> None:
        """Add a connection to the fake, a minute after what was booked before, and read its mailboxes.

        Changes by staff wait for the delay.
        """
        await change(self.api, SETTINGS, changeNoticeDelay=delay)
        self.clock.advance(minutes=1)
        made = await self.api.post(CONNECTIONS, write_connection(self.address, **({"writes": "Events"} | members)))
        assert made.status_code == 201, made.text
        self.connection = made.json()["id"]
        await self.work()
        self._earlier = len(await self._list_mails())

    async def get_connection(self) -> dict[str, Any]:
        """Return the connection, as somebody who has just signed in reads it."""
        self.api = await self.api.of(self.api.firm, elevated=True)
        return (await self.api.get(f"{CONNECTIONS}/{self.connection}")).json()

    async def work(self, **later: float) -> None:
        """Do what is due, some time later."""
        self.clock.advance(**later)
        self.graph.world.clock.stop_at(self.clock())
        await work(self.services, self.clock)

    async def read(self) -> None:
        """Read all calendars at once, two minutes later, and do what follows."""
        self.clock.advance(minutes=2)
        self.graph.world.clock.stop_at(self.clock())
        answer = await self.api.post(f"{CONNECTIONS}/{self.connection}/read", {})
        assert answer.status_code == 200, answer.text
        await self.work()

    async def book(self, hours: int = 0, advisor: str = "Anna Holm", **members: Any) -> dict[str, Any]:
        """Book an hour with an advisor, some hours after ten on that Tuesday."""
        body = {"employeeId": self.api.id_of("employee", advisor), "type": "Online"} | at(hours) | members
        answer = await self.api.book(**body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def change(self, meeting: dict[str, Any], **members: Any) -> dict[str, Any]:
        """Change members of a meeting."""
        patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
        answer = await self.api.request("PATCH", f"{MEETINGS}/{meeting['id']}", json=patch)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def cancel(self, meeting: dict[str, Any]) -> None:
        """Cancel a meeting."""
        answer = await self.api.request("DELETE", f"{MEETINGS}/{meeting['id']}")
        assert answer.status_code == 204, answer.text

    async def get(self, meeting: dict[str, Any]) -> dict[str, Any] | None:
        """Return a meeting as it is now; None: it is cancelled."""
        answer = await self.api.get(f"{MEETINGS}/{meeting['id']}")
        return answer.json() if answer.status_code == 200 else None

    async def list_mails(self) -> dict[str, list[bool]]:
        """Return of each recipient's mails whether they have a calendar part."""
        found = defaultdict[str, list[bool]](list)
        for mail in await self._list_mails():
            found[mail.to[0]].append(bool(mail.calendar))
        return dict(sorted(found.items()))

    async def list_texts(self) -> list[str]:
        """Return the texts of all mails."""
        return [mail.text for mail in await self._list_mails()]

    async def _list_mails(self) -> list[KeptMail]:
        async with self.services.database.outside_tenants() as connection:
            return (await list_mails(connection))[::-1][self._earlier :]

    @property
    def calendars(self) -> Calendars:
        """Return the calendars of the fake."""
        return self.graph.world.get_calendars(self.graph.world.tenants[TENANT])

    def find_person(self, name: str) -> Person:
        """Return the owner of a mailbox."""
        return self.graph.world.tenants[TENANT].get_person(self.mails[name])

    def list_events(self, name: str) -> list[Event]:
        """Return the events of an advisor's mailbox."""
        return self.calendars.list_events(self.find_person(name))

    def move_there(self, name: str, event: Event, hours: int) -> None:
        """Move an event in Outlook to some hours after ten."""
        begin = TUESDAY_AT_TEN + hours * HOUR
        start, end = (DateTimeTimeZone(moment.isoformat()) for moment in (begin, begin + HOUR))
        self.calendars.change(self.find_person(name), event.id, Draft(start=start, end=end), None)

    def delete_there(self, name: str, event: Event) -> None:
        """Delete an event in Outlook."""
        self.calendars.remove(self.find_person(name), event.id)

    async def list_busy(self) -> list[datetime]:
        """Return the beginnings of the times that calendars took."""
        times = {
            "startDate": (TUESDAY_AT_TEN - timedelta(days=1)).isoformat(),
            "endDate": (TUESDAY_AT_TEN + timedelta(days=1)).isoformat(),
            "status": "Busy",
        }
        found = (await self.api.get("v3/booking/time-slots", params=times)).json()
        return sorted(datetime.fromisoformat(one["startTime"]) for one in found if one.get("source") == "calendar")


def at(hours: int) -> dict[str, str]:
    """Return the members of an hour that begins some hours after ten on that Tuesday."""
    begin = TUESDAY_AT_TEN + hours * HOUR
    return {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}


@asynccontextmanager
async def open_writing_firm(api: Api, clock: HandClock, services: Services, *more: str) -> AsyncGenerator[WritingFirm]:
    """Lend a firm whose advisors Anna and Bo have mailboxes, and some `more` addresses; it has no connection yet."""
    graph = Graph()
    graph.world.clock.stop_at(clock())
    async with serve_graph(graph) as address:
        firm = WritingFirm(graph, address, api, clock, services)
        for name in ("Anna Holm", "Bo Lind"):
            employee = (await api.get(f"v3/booking/employees/{api.id_of('employee', name)}")).json()
            firm.mails[name] = employee["email"]
        graph.plant_firm(*firm.mails.values(), *more)
        yield firm
