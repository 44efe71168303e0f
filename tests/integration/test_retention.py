"""What is kept of meetings for a while only: customers' numbers, cancelled meetings, reservations.

The rules: docs/api.md#meetings.
"""

from datetime import timedelta
from typing import Any

from meetdeck.app import Services
from meetdeck.booking.scheduling.retention.store import Purged
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.db import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

HOUR = timedelta(hours=1)
KEPT = timedelta(days=365)


async def book(api: Api, *, day: int = 0, advisor: str = "Anna Holm", **members: Any) -> str:
    begin = TUESDAY_AT_TEN + timedelta(days=day)
    times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
    answer = await api.book(employeeId=api.id_of("employee", advisor), type="Online", **times, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def cancel(api: Api, meeting_id: str) -> None:
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting_id}")).status_code == 204


async def count(database: Database, table: str, condition: str = "true") -> int:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval(f"select count(*) from {table} where {condition}")  # noqa: S608 - from this file


async def test_a_cpr_is_erased_when_its_meeting_is_over_long_enough(
    api: Api, services: Services, database: Database
) -> None:
    await book(api, cpr="010203-1234")
    await book(api, day=1, cpr="010203-1234")
    end = TUESDAY_AT_TEN + HOUR
    assert (await services.retention.purge(end + KEPT)).numbers == 0
    assert (await services.retention.purge(end + KEPT + timedelta(seconds=1))).numbers == 1
    assert await count(database, "meeting", "cpr_encrypted is not null") == 1


async def test_a_cancelled_meeting_goes_with_its_history_and_what_it_held(
    api: Api, services: Services, database: Database
) -> None:
    kept, cancelled = await book(api), await book(api, day=1, additionalEmployees=[api.id_of("employee", "Bo Lind")])
    await cancel(api, cancelled)
    slots = await count(database, "time_slot")
    long_after = TUESDAY_AT_TEN + timedelta(days=1) + HOUR + KEPT + timedelta(seconds=1)
    assert (await services.retention.purge(long_after - timedelta(days=1))).meetings == 0
    assert (await services.retention.purge(long_after)).meetings == 1
    for table in ("meeting", "meeting_history", "meeting_additional_employee"):
        assert await count(database, table, f"meeting_id = '{cancelled}'") == 0, table
    assert await count(database, "time_slot") == slots - 1
    assert (await api.get(f"v3/booking/meetings/{kept}")).status_code == 200
    calendar = await api.post(f"v3/booking/meetings/{cancelled}/ical?method=cancel")
    assert (calendar.status_code, calendar.json()["code"]) == (404, "meeting_not_found")


async def test_reservations_that_came_to_nothing_go(api: Api, services: Services, database: Database) -> None:
    await api.reserve(TUESDAY_AT_TEN)
    before = await count(database, "time_slot", "status = 'Reserved'")
    expiry = services.clock() + timedelta(minutes=5)
    assert (await services.retention.purge(expiry + KEPT)).reservations == 0
    assert (await services.retention.purge(expiry + KEPT + timedelta(seconds=1))).reservations == before == 1


async def test_calendar_entries_go_when_they_are_over_long_enough(
    api: Api, services: Services, database: Database
) -> None:
    anna = {"employeeId": api.id_of("employee", "Anna Holm"), "status": "Busy"}
    for length in (HOUR, timedelta(days=300)):
        times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + length).isoformat()}
        assert (await api.post("v3/booking/time-slots", anna | times)).status_code == 201
    long_after = TUESDAY_AT_TEN + HOUR + KEPT
    assert (await services.retention.purge(long_after)).entries == 0
    assert (await services.retention.purge(long_after + timedelta(seconds=1))).entries == 1
    assert await count(database, "calendar_entry") == 1


async def test_names_of_the_deleted_go_when_no_meeting_names_them(
    api: Api, services: Services, database: Database, clock: HandClock
) -> None:
    meeting_id = await book(api, advisor="Gitte Møller")
    await cancel(api, meeting_id)
    clock.advance(days=2)
    api = await api.of(api.firm)
    gitte = api.id_of("employee", "Gitte Møller")
    assert (await api.request("DELETE", f"v3/booking/config/employees/{gitte}")).status_code == 204
    assert (await api.post(f"v3/booking/meetings/{meeting_id}/ical?method=cancel")).status_code == 200
    assert await count(database, "deletion") == 1
    await services.retention.purge(clock() + timedelta(days=1))
    assert await count(database, "deletion") == 1
    await services.retention.purge(clock() + KEPT)
    assert await count(database, "deletion") == 0


async def test_it_works_for_every_tenant_and_twice_does_no_more(api: Api, services: Services) -> None:
    for caller, advisor in ((await api.of(NORDLYS), "Anna Holm"), (await api.of(FJORD), "Ida Bech")):
        await cancel(caller, await book(caller, advisor=advisor, cpr="010203-1234"))
    long_after = TUESDAY_AT_TEN + 2 * KEPT
    assert await services.retention.purge(long_after) == Purged(numbers=2, meetings=2, reservations=0)
    assert await services.retention.purge(long_after) == Purged()
