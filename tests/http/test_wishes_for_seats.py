"""The waiting list fills seats of group meetings that become free (docs/api/waiting-list.md)."""

from datetime import timedelta
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.patches import replace
from support.searches import change
from support.working import work

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
HOUR = timedelta(hours=1)
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
ABOUT: dict[str, Any] = {"employeeId": ANNA, "type": "Online", "topicId": REVIEW}
Json = dict[str, Any]


class FullGroup:
    """A time of Anna's with three seats, all of them taken, for which two more customers wait."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api, self.services, self.clock = api, services, clock

    async def fill(self) -> tuple[list[Json], list[str]]:
        """Return the meetings, and the wishes in their order."""
        await change(self.api, f"meeting-topics/{REVIEW}", seats=3)
        meetings = [(await self.api.book(**ABOUT, **TIMES, customerId=one)).json() for one in ("Freja", "Noah", "Ida")]
        window = {"from": TIMES["startDate"], "to": TIMES["endDate"], "meetingTypes": ["Online"], "topicId": REVIEW}
        wishes: list[str] = []
        for one in ("Karl", "Vera"):
            wish = await self.api.post("v3/booking/wishes", window | {"email": f"{one.lower()}@example.com"})
            wishes.append(wish.json()["id"])
            self.clock.advance(seconds=1)
        await self.work()
        return meetings, wishes

    async def work(self, **later: float) -> None:
        self.clock.advance(**later)
        await work(self.services, self.clock)
        await work(self.services, self.clock)

    async def cancel(self, meeting: Json) -> None:
        assert (await self.api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).status_code == 204

    async def list_wishes(self, *wishes: str) -> list[Json]:
        return [(await self.api.get(f"v3/booking/wishes/{one}")).json() for one in wishes]

    async def statuses(self, *wishes: str) -> list[str]:
        return [one["status"] for one in await self.list_wishes(*wishes)]


@pytest.fixture
def full(api: Api, services: Services, clock: HandClock) -> FullGroup:
    return FullGroup(api, services, clock)


async def test_a_seat_given_up_is_held_for_who_waits_longest_and_booked_beside_the_others(full: FullGroup) -> None:
    meetings, wishes = await full.fill()
    assert await full.statuses(*wishes) == ["Waiting", "Waiting"]
    await full.cancel(meetings[1])
    await full.work()
    assert await full.statuses(*wishes) == ["Offered", "Waiting"]
    offer = (await full.list_wishes(wishes[0]))[0]["offer"]
    assert (offer["startDate"], offer["employeeId"]) == ("2026-03-03T09:00:00Z", ANNA)
    rival = await full.api.book(**ABOUT, **TIMES, customerId="Otto")
    assert rival.json()["code"] == "time_slot_taken"
    booked = await full.api.book(**ABOUT, timeSlotId=offer["timeSlotId"], customerId="Karl")
    assert booked.json()["sharedSlotId"] == meetings[0]["sharedSlotId"]
    await full.work(minutes=16)
    assert await full.statuses(*wishes) == ["Booked", "Waiting"]


async def test_two_seats_given_up_at_once_are_held_for_two(full: FullGroup) -> None:
    meetings, wishes = await full.fill()
    for one in meetings[:2]:
        await full.cancel(one)
    await full.work()
    assert await full.statuses(*wishes) == ["Offered", "Offered"]


async def test_a_seat_that_a_customer_moves_away_from_is_offered_and_goes_on_to_the_next(full: FullGroup) -> None:
    meetings, wishes = await full.fill()
    later = [
        replace(f"/{name}", (TUESDAY_AT_TEN + n * HOUR).isoformat()) for n, name in ((1, "startDate"), (2, "endDate"))
    ]
    moved = await full.api.request("PATCH", f"v3/booking/meetings/{meetings[0]['id']}", json=later)
    assert moved.status_code == 200
    await full.work()
    assert await full.statuses(*wishes) == ["Offered", "Waiting"]
    await full.work(minutes=16)
    await full.work()
    assert await full.statuses(*wishes) == ["Waiting", "Offered"]


async def test_a_seat_on_hold_that_runs_out_is_offered(full: FullGroup) -> None:
    meetings, wishes = await full.fill()
    await full.api.request("DELETE", f"v3/booking/wishes/{wishes[0]}")
    await full.cancel(meetings[0])
    held = await full.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, topicId=REVIEW, meetingType="Online")
    assert held.status_code == 201
    await full.work()
    assert await full.statuses(wishes[1]) == ["Waiting"]
    await full.work(minutes=6)
    assert await full.statuses(wishes[1]) == ["Offered"]
