"""A server that writes into calendars, which fail, and that is killed (`kill -9`) again and again meanwhile."""

import asyncio
import logging
from collections import Counter
from datetime import UTC, datetime
from random import Random
from signal import SIGKILL
from typing import Any, Final

import httpx
import pytest

from graph_fake.faults import Fault
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.graph import CLIENT, GROUP, SECRET, TENANT, Graph, serve_graph
from support.installation import Installation
from support.servers import HOUR, accept, book, call, cancel, change, write_span

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
    """The advisors of the firm with their mailboxes, and what is booked."""

    def __init__(self, graph: Graph, dice: Random) -> None:
        self.graph = graph
        self.dice = dice
        self.mails: dict[str, str] = {}
        self.booked: dict[str, tuple[str, datetime]] = {}
        self.taken: set[tuple[str, datetime]] = set()

    async def connect(self, http: httpx.AsyncClient, address: str) -> None:
        """Give each advisor a mailbox, and connect them."""
        for advisor in NORDLYS.advisors:
            id_ = str(NORDLYS.id_of("employee", advisor.name))
            self.mails[id_] = accept(await http.get(f"employees/{id_}"))["email"].lower()
        self.graph.plant_firm(*self.mails.values())
        body = {"name": "Microsoft 365", "kind": "Microsoft365", "directoryId": TENANT, "clientId": CLIENT}
        body |= {"groupId": GROUP, "clientSecret": SECRET, "address": address, "loginAddress": address}
        made = accept(await http.post("config/calendar-connections", json=body | {"writes": "Events"}))
        accept(await http.post(f"config/calendar-connections/{made['id']}/read", json={}))

    async def change_something(self, http: httpx.AsyncClient) -> None:
        """Book a meeting, or move, give away or cancel one."""
        chance = self.dice.random()
        if chance < 0.4 or not self.booked:
            advisor, begin = self._choose()
            meeting = accept(await book(http, begin, employeeId=advisor))
            self.booked[meeting["id"]] = (advisor, begin)
            return
        id_ = self.dice.choice(sorted(self.booked))
        before = self.booked.pop(id_)  # no other change of this batch is of it
        if chance < 0.6:
            assert (await cancel(http, id_)).is_success
        else:
            advisor, begin = self._choose()
            accept(await change(http, id_, employeeId=advisor, **write_span(begin)))
            self.booked[id_] = (advisor, begin)
        self.taken.discard(before)

    def _choose(self) -> tuple[str, datetime]:
        while True:
            day, hour = self.dice.randrange(60), self.dice.randrange(8, 16)
            place = (self.dice.choice(sorted(self.mails)), MONDAY + day * 24 * HOUR + hour * HOUR)
            if place not in self.taken:
                self.taken.add(place)
                return place

    def count_booked(self) -> Spans:
        """Return the events that there should be: one of each living meeting."""
        return Counter((self.mails[advisor], begin, begin + HOUR) for advisor, begin in self.booked.values())

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
        port = await run_in_thread(installation.start)
        async with call(installation, port, is_elevated=True) as http:
            await firm.connect(http, address)
        for _ in range(changes // _AT_ONCE):
            graph.world.faults.waiting += [Fault(**dice.choice(_FAULTS), skip=dice.randrange(9)) for _ in range(12)]
            async with call(installation, installation.address, is_elevated=True) as http:
                await asyncio.gather(*(firm.change_something(http) for _ in range(_AT_ONCE)))
                await asyncio.sleep(dice.random() * 3)
            if dice.random() < 0.7:
                kills += 1
                assert await run_in_thread(installation.stop, SIGKILL) == -SIGKILL
                await run_in_thread(installation.start)
        graph.world.faults.waiting = []
        for _ in range(600):
            if firm.count_events() == firm.count_booked():
                break
            await asyncio.sleep(1)
        await asyncio.sleep(5)  # nothing comes after it
    told = f"{changes} changes, {kills} kills, {len(firm.booked)} meetings, {len(graph.world.asked)} requests"
    logging.getLogger(__name__).info(told)
    assert firm.count_events() == firm.count_booked()
    assert kills
