"""Random books, moves and cancellations while the calendar fails: what we wrote never comes back as somebody's time."""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Any, Final

import pytest

from graph_fake.faults import Fault
from meetdeck.connections.calendar_events.service.subscriber import QUEUE
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph_firm import CONNECTIONS, HOUR, WritingFirm, at, open_writing_firm
from support.working import find_next_due

NAMES: Final = ("Anna Holm", "Bo Lind")
HOURS: Final = range(6)
_FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"kind": "Lose"},
    {"kind": "Lose", "method": "POST"},
    {"kind": "Lose", "method": "PATCH"},
    {"kind": "Twice"},
    {"kind": "Cut"},
    {"status": 429, "retry_after": 2},
    {"status": 500, "times": 3},
)


class _Book:
    """The active meetings: an advisor and an hour of each, and a colleague of some."""

    def __init__(self, firm: WritingFirm, dice: Random) -> None:
        self.firm = firm
        self.dice = dice
        self.meetings: dict[str, dict[str, Any]] = {}
        self.taken: dict[str, tuple[set[str], int]] = {}

    async def change(self) -> None:
        """Book a meeting, or move, give away or cancel one."""
        if not self.meetings or self.dice.random() < 0.4:
            await self._book()
            return
        id_ = self.dice.choice(sorted(self.meetings))
        if self.dice.random() < 0.35:
            await self.firm.cancel(self.meetings.pop(id_))
            del self.taken[id_]
            return
        name, hour = self._choose(id_)
        if name:
            changed: dict[str, Any] = {"employeeId": self.firm.api.id_of("employee", name), "additionalEmployees": []}
            await self.firm.change(self.meetings[id_], **changed, **at(hour))
            self.taken[id_] = ({name}, hour)

    async def _book(self) -> None:
        name, hour = self._choose()
        if not name:
            return
        colleague = next(one for one in NAMES if one != name)
        people = {name}
        if self.dice.random() < 0.3 and self._is_free(colleague, hour):
            people.add(colleague)
        others = [self.firm.api.id_of("employee", one) for one in people - {name}]
        meeting = await self.firm.book(hour, name, additionalEmployees=others)
        self.meetings[meeting["id"]], self.taken[meeting["id"]] = meeting, (people, hour)

    def _choose(self, but: str = "") -> tuple[str, int]:
        free = [(name, hour) for name in NAMES for hour in HOURS if self._is_free(name, hour, but)]
        return self.dice.choice(free) if free else ("", 0)

    def _is_free(self, name: str, hour: int, but: str = "") -> bool:
        return not any(name in who and hour == when for id_, (who, when) in self.taken.items() if id_ != but)

    def count_events(self) -> Counter[tuple[datetime, datetime]]:
        """Return the times of the events that there should be."""
        return Counter(
            (TUESDAY_AT_TEN + hour * HOUR, TUESDAY_AT_TEN + (hour + 1) * HOUR) for _, hour in self.taken.values()
        )


async def _work_and_be_killed(firm: WritingFirm, seconds: float) -> None:
    """Do what is due until the process ends in the middle of it: nothing that was begun is cleaned up."""
    task = asyncio.create_task(firm.work(seconds=20))
    await asyncio.wait([task], timeout=seconds)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("seed", "changes"), [(1, 16), *(pytest.param(seed, 40, marks=pytest.mark.thorough) for seed in range(2, 12))]
)
async def test_what_we_wrote_never_comes_back(
    elevated: Api, clock: HandClock, services: Services, seed: int, changes: int
) -> None:
    dice = Random(seed)  # noqa: S311 - so that a failure can be repeated
    async with open_writing_firm(elevated, clock, services) as firm:
        await firm.connect()
        book, faults = _Book(firm, dice), firm.graph.world.faults
        for _ in range(changes):
            if dice.random() < 0.6:
                faults.waiting.append(Fault(**dice.choice(_FAULTS), skip=dice.randrange(3)))
            await book.change()
            if dice.random() < 0.2:
                await _work_and_be_killed(firm, dice.random() / 10)
            else:
                await (firm.read() if dice.random() < 0.5 else firm.work(seconds=dice.randrange(30)))
            assert await firm.list_busy() == []
        faults.waiting = []
        await _calm_down(firm)
        events = Counter(
            (event.start, event.end) for name in NAMES for event in firm.list_events(name) if event.is_organizer
        )
        assert events == book.count_events()
        await firm.read()
        with_calendar = await _search(firm)
        assert (await firm.api.request("DELETE", f"{CONNECTIONS}/{firm.connection}")).status_code == 204
        assert with_calendar == await _search(firm)


async def _calm_down(firm: WritingFirm) -> None:
    """Do all that is still to be tried again."""
    for _ in range(20):
        due = await find_next_due(firm.services, firm.api.firm.tenant_id, QUEUE)
        if due is None:
            break
        firm.clock.moment = max(firm.clock.moment, due)
        await firm.work(seconds=20)
    firm.api = await firm.api.of(firm.api.firm, elevated=True)


async def _search(firm: WritingFirm) -> Any:
    """Return the times of both advisors that are offered on that Tuesday."""
    query = {
        "startDate": (TUESDAY_AT_TEN - 3 * HOUR).isoformat(),
        "endDate": (TUESDAY_AT_TEN + 10 * HOUR).isoformat(),
        "explicitEmployeeIds": ",".join(firm.api.id_of("employee", name) for name in NAMES),
        "meetingTypes": "Online",
        "requireEmployeeParticipation": "true",
    }
    answer = await firm.api.get("v3/booking/time-slots/available", params=query)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found
    return found
