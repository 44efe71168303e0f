"""A server that writes into calendars, which fail, and that is killed (`kill -9`) again and again meanwhile."""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from random import Random
from signal import SIGKILL
from typing import Any, Final

import httpx
import pytest
import structlog

from graph_fake.faults import Fault
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.graph import TENANT, Graph, serve_graph, write_connection
from support.installation import Installation
from support.servers import HOUR, accept, book, call, cancel, change, write_span

SETTING: Final = NORDLYS.id_of("organization setting", NORDLYS.name)
NO_DELAY: Final = [{"op": "replace", "path": "/changeNoticeDelay", "value": "00:00:00"}]
MONDAY: Final = datetime(2031, 5, 5, tzinfo=UTC)
_AT_ONCE: Final = 50
_FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": "Lose"},
    {"kind": "Lose", "method": "POST", "path": "/events"},
    {"kind": "Lose", "method": "PATCH"},
    {"kind": "Twice"},
    {"kind": "Cut"},
    {"kind": "Late", "seconds": 1.0},
    {"status": 429, "retry_after": 1},
    {"status": 500},
)
Spans = Counter[tuple[str, datetime, datetime]]


class _Firm:
    """The advisors of the firm with their mailboxes, and what is booked as far as it was answered."""

    def __init__(self, graph: Graph, dice: Random) -> None:
        self.graph = graph
        self.dice = dice
        self.mails: dict[str, str] = {}
        self.booked: list[str] = []
        self.changes = 0

    async def connect(self, http: httpx.AsyncClient, address: str) -> None:
        """Give each advisor a mailbox, and connect them."""
        for advisor in NORDLYS.advisors:
            id_ = str(NORDLYS.id_of("employee", advisor.name))
            self.mails[id_] = accept(await http.get(f"employees/{id_}"))["email"].lower()
        self.graph.plant_firm(*self.mails.values())
        accept(await http.patch(f"config/organization-settings/{SETTING}", json=NO_DELAY))
        body = write_connection(address, writes="Events")
        made = accept(await http.post("config/calendar-connections", json=body))
        accept(await http.post(f"config/calendar-connections/{made['id']}/read", json={}))

    async def change_something(self, http: httpx.AsyncClient) -> None:
        """Book a meeting, or move, give away or cancel one; a time that is taken, or a busy database, is no matter."""
        chance = self.dice.random()
        day, hour = self.dice.randrange(60), self.dice.randrange(8, 16)
        advisor, begin = self.dice.choice(sorted(self.mails)), MONDAY + day * 24 * HOUR + hour * HOUR
        if chance < 0.4 or not self.booked:
            answer = await book(http, begin, employeeId=advisor)
            if answer.is_success:
                self.booked.append(answer.json()["id"])
        else:
            id_ = self.booked.pop(self.dice.randrange(len(self.booked)))
            if chance < 0.6:
                answer = await cancel(http, id_)
            else:
                answer = await change(http, id_, employeeId=advisor, **write_span(begin))
                self.booked.append(id_)
        self.changes += answer.is_success

    async def change_some(self, http: httpx.AsyncClient) -> None:
        """Change some meetings, a few at once."""
        for _ in range(_AT_ONCE // 5):
            await asyncio.gather(*(self.change_something(http) for _ in range(5)))

    async def count_booked(self, http: httpx.AsyncClient) -> Spans:
        """Return the events that there should be: one of each living meeting."""
        times = {"startDate": MONDAY.isoformat(), "endDate": (MONDAY + 61 * 24 * HOUR).isoformat()}
        living: Any = accept(await http.get("meetings", params=times))
        begin, end = ([datetime.fromisoformat(one[name]) for one in living] for name in ("startDate", "endDate"))
        return Counter(zip((self.mails[one["employeeId"]] for one in living), begin, end, strict=True))

    def count_events(self) -> Spans:
        """Return the events that there are."""
        tenant = self.graph.world.tenants[TENANT]
        calendars = self.graph.world.get_calendars(tenant)
        return Counter(
            (mail, event.start, event.end)
            for mail in self.mails.values()
            for event in calendars.list_events(tenant.get_person(mail))
        )


@pytest.mark.thorough
@pytest.mark.parametrize("changes", [1_000])
async def test_each_living_meeting_has_exactly_one_event(installation: Installation, changes: int) -> None:
    graph, dice = Graph(), Random(changes)  # noqa: S311 - so that a failure can be repeated
    firm, kills = _Firm(graph, dice), 0
    async with serve_graph(graph) as address:
        await run_in_thread(installation.start)
        async with call(installation, installation.address, is_elevated=True) as http:
            await firm.connect(http, address)
        while firm.changes < changes:
            graph.world.faults.waiting += [Fault(**dice.choice(_FAULTS), skip=dice.randrange(9)) for _ in range(12)]
            async with call(installation, installation.address, is_elevated=True) as http:
                await firm.change_some(http)
                await asyncio.sleep(dice.random() * 3)
            if dice.random() < 0.7:
                kills += 1
                assert await run_in_thread(installation.stop, SIGKILL) == -SIGKILL
                await run_in_thread(installation.start)
        graph.world.faults.waiting = []
        async with call(installation, installation.address, is_elevated=True) as http:
            booked = await firm.count_booked(http)
        for _ in range(600):
            if firm.count_events() == booked:
                break
            await asyncio.sleep(1)
        await asyncio.sleep(5)  # nothing comes after it
    facts = {"changes": firm.changes, "kills": kills, "meetings": booked.total(), "requests": len(graph.world.asked)}
    structlog.get_logger().info("written", **facts)  # shown by pytest -s
    assert firm.count_events() == booked
    assert kills
