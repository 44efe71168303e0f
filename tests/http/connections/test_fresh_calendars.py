"""Calendars that were not read lately: offered or not, read first, and read again before a time is taken."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from httpx import Response

from graph_fake.faults import Fault
from meetdeck.services import Services
from support.console import THOMAS, Browser
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph import CONNECTIONS
from support.meetings import ANNA
from support.read_firm import ReadFirm, open_read_firm
from support.working import work


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock) -> AsyncGenerator[ReadFirm]:
    async with open_read_firm(elevated, clock) as firm:
        yield firm


async def test_what_a_search_offers_of_a_stale_calendar_is_the_firms_to_say(firm: ReadFirm, clock: HandClock) -> None:
    firm.write()
    connection = await firm.connect(whenStale="Block", staleAfter="00:05:00")
    assert (connection["whenStale"], connection["staleAfter"]) == ("Block", "00:05:00")
    assert await firm.find_free() == [0, 1, 2, 3]  # it is not known yet whose calendars these are
    firm.graph.world.faults.waiting = [Fault(path="getSchedule", status=503, times=-1)]
    await firm.read(connection)
    assert await firm.find_free() == []  # never read
    firm.graph.world.faults.waiting = []
    await firm.read(connection)
    assert await firm.find_free() == [1, 2, 3]
    [told] = {each["detail"] for each in await firm.explain() if each["rule"] == "Busy"}
    assert (
        told == "Anna Holm is taken: another appointment from 2026-03-03 10:00 to 2026-03-03 11:00 in “Microsoft 365”."
    )

    read_at = clock()
    clock.advance(minutes=5)
    assert await firm.find_free() == []
    told = {each["detail"] for each in await firm.explain() if each["rule"] == "Busy"}
    since = read_at.astimezone(ZoneInfo("Europe/Copenhagen"))
    assert all(
        f"the calendar was last read {since:%Y-%m-%d %H:%M} by “Microsoft 365”, too long ago" in each for each in told
    )
    offer = [{"op": "replace", "path": "/whenStale", "value": "Offer"}]
    assert (await firm.elevated.request("PATCH", f"{CONNECTIONS}/{connection['id']}", json=offer)).status_code == 200
    assert await firm.find_free() == [1, 2, 3]


async def test_who_was_searched_for_lately_is_read_first(firm: ReadFirm, services: Services, clock: HandClock) -> None:
    await firm.connect()
    await work(services, clock)
    await services.outside_calendars.find_connected_firms()

    async def count_after(seconds: int) -> int:
        before = firm.count_readings()
        await work(services, clock)
        for _ in range(seconds // 5):
            clock.advance(seconds=5)
            await work(services, clock)
        return firm.count_readings() - before

    assert await count_after(55) == 0
    await firm.find_free()
    await services.outside_calendars.flush()
    assert await count_after(0) == 1  # the last reading is older than 20 seconds
    assert await count_after(60) == 3
    clock.advance(minutes=10)
    await count_after(60)
    assert await count_after(60) == 1


async def test_a_time_that_was_taken_in_the_calendar_meanwhile_is_refused(
    firm: ReadFirm, api: Api, services: Services, clock: HandClock
) -> None:
    await firm.read(await firm.connect())
    await services.outside_calendars.find_connected_firms()
    anna, before = api.id_of("employee", "Anna Holm"), firm.count_readings()
    assert (await api.reserve(TUESDAY_AT_TEN + timedelta(hours=2), employeeId=anna)).status_code == 201
    assert firm.count_readings() == before  # it was read just now

    firm.write()
    clock.advance(seconds=61)
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=anna)
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")
    assert firm.count_readings() == before + 1
    firm.write(1)
    clock.advance(seconds=61)
    times = {"startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-03T11:00:00Z"}
    refused = await api.book(employeeId=anna, meetingType="Online", **times)
    assert (refused.status_code, refused.json()["code"]) == (409, "time_busy")
    assert firm.count_readings() == before + 2
    taken = await api.book(employeeId=anna, meetingType="Online", ignoreTimeSlotConflicts=True, **times)
    assert taken.status_code == 201
    assert firm.count_readings() == before + 2


@pytest.mark.parametrize("fault", [Fault(kind="Hang", times=-1), Fault(status=429, retry_after=60, times=-1)])
async def test_a_calendar_without_an_answer_delays_no_booking_and_marks_it(
    firm: ReadFirm, api: Api, services: Services, clock: HandClock, fault: Fault
) -> None:
    await firm.read(await firm.connect())
    await services.outside_calendars.find_connected_firms()
    clock.advance(seconds=61)
    firm.graph.world.faults.waiting = [fault]
    anna, pool = api.id_of("employee", "Anna Holm"), services.database.pool
    began = perf_counter()
    reserving = asyncio.create_task(api.reserve(TUESDAY_AT_TEN, employeeId=anna))
    await asyncio.sleep(0.3)
    assert pool.get_idle_size() == pool.get_size()  # no connection waits along
    held = await reserving
    assert held.status_code == 201
    assert perf_counter() - began < 1.6
    made = (await api.book(employeeId=anna, meetingType="Online", timeSlotId=held.json()["id"])).json()
    assert made["calendarUnverified"] is True
    assert "calendarUnverified" not in (await api.get(f"v2/booking/meetings/{made['id']}")).json()
    renamed = [{"op": "replace", "path": "/title", "value": "Review"}]
    changed = (await api.request("PATCH", f"v3/booking/meetings/{made['id']}", json=renamed)).json()
    assert changed["calendarUnverified"] is True

    times = {"startDate": "2026-03-03T11:00:00Z", "endDate": "2026-03-03T12:00:00Z"}
    made = (await api.book(employeeId=anna, meetingType="Online", **times)).json()
    assert made["calendarUnverified"] is True
    firm.graph.world.faults.waiting = []
    clock.advance(minutes=5)
    times = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}
    made = (await api.book(employeeId=anna, meetingType="Online", **times)).json()
    assert "calendarUnverified" not in made


@pytest.mark.parametrize("stale_after", ["00:00:59", "1.00:00:01"])
async def test_a_calendar_is_stale_after_a_minute_to_a_day(firm: ReadFirm, stale_after: str) -> None:
    connection = await firm.connect()
    change = [{"op": "replace", "path": "/staleAfter", "value": stale_after}]
    refused = await firm.elevated.request("PATCH", f"{CONNECTIONS}/{connection['id']}", json=change)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/staleAfter")
    assert connection["staleAfter"] == "00:10:00"


async def test_a_meeting_that_moves_is_read_again_like_one_that_is_booked(
    firm: ReadFirm, services: Services, clock: HandClock
) -> None:
    """Its new time, a new employee, and nothing else, are asked for; the page says what was not verified."""
    await firm.read(await firm.connect())
    await services.outside_calendars.find_connected_firms()
    booked = await firm.elevated.book(employeeId=ANNA, meetingType="Online", **_span(1))
    path = f"v3/booking/meetings/{booked.json()['id']}"
    clock.advance(minutes=2)
    firm.write(2)
    assert (await _change(firm, path, **_span(2))).json()["code"] == "time_busy"
    clock.advance(minutes=2)
    before = firm.count_readings()
    assert (await _change(firm, path, title="Pension")).status_code == 200
    assert firm.count_readings() == before

    firm.graph.world.faults.waiting = [Fault(path="getSchedule", status=503, times=-1)]
    moved = await _change(firm, path, **_span(3))
    assert (moved.status_code, moved.json().get("calendarUnverified")) == (200, True)
    browser = await Browser.open(firm.elevated, THOMAS)
    here = f"/calendar/meetings/{booked.json()['id']}"
    for page in (here, f"{here}/glance"):
        assert "Their own calendar did not answer" in (await browser.get(page)).text
    firm.graph.world.faults.waiting = []
    clock.advance(minutes=2)
    again = await _change(firm, path, **_span(4))
    assert (again.status_code, "calendarUnverified" in again.json()) == (200, False)
    for page in (here, f"{here}/glance"):
        assert "Their own calendar did not answer" not in (await browser.get(page)).text


async def _change(firm: ReadFirm, path: str, **members: str) -> Response:
    patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await firm.elevated.request("PATCH", path, json=patch)


def _span(hours: int) -> dict[str, str]:
    begin = TUESDAY_AT_TEN + timedelta(hours=hours)
    return {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=1)).isoformat()}
