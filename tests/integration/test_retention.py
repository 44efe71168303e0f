"""Data of meetings that is kept for a while only: customers' numbers, cancelled meetings, reservations.

The rules: docs/api/meetings.md.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from prometheus_client import REGISTRY

from meetdeck.booking.scheduling.retention.schemas import Periods, PurgeCounts
from meetdeck.booking.scheduling.retention.service import Retention
from meetdeck.booking.scheduling.time_slots.service.reservations import LIFETIME
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import forget_meetings

HOUR = timedelta(hours=1)
KEPT = timedelta(days=365)
CPR_KEPT = timedelta(days=30)
SECOND = timedelta(seconds=1)


async def book(api: Api, *, day: int = 0, advisor: str = "Anna Holm", **members: Any) -> str:
    begin = TUESDAY_AT_TEN + timedelta(days=day)
    times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
    answer = await api.book(employeeId=api.id_of("employee", advisor), type="Online", **times, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def cancel(api: Api, meeting_id: str) -> None:
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting_id}")).status_code == 204


async def set_tenant(owner: Connection, assignments: str, tenant_id: UUID = NORDLYS.tenant_id) -> None:
    async with owner.transaction():
        await owner.execute(f"set local meetdeck.tenant = '{tenant_id}'")
        await owner.execute(f"update tenant set {assignments}")  # noqa: S608 - from this file


async def read(api: Api, meeting_id: str) -> dict[str, Any]:
    return (await api.get(f"v3/booking/meetings/{meeting_id}")).json()


async def count(database: Database, table: str, condition: str = "true") -> int:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval(f"select count(*) from {table} where {condition}")  # noqa: S608 - from this file


async def test_a_cpr_is_erased_when_its_meeting_is_over_long_enough(
    api: Api, services: Services, database: Database
) -> None:
    await book(api, cpr="010203-1234")
    await book(api, day=1, cpr="010203-1234")
    end = TUESDAY_AT_TEN + HOUR
    assert (await services.retention.purge(end + CPR_KEPT)).numbers == 0
    assert (await services.retention.purge(end + CPR_KEPT + SECOND)).numbers == 1
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


def count_expired_holds() -> float:
    return REGISTRY.get_sample_value("meetdeck_expired_holds_total") or 0.0


async def test_a_reservation_that_ran_out_is_counted_once(api: Api, services: Services) -> None:
    anna = api.id_of("employee", "Anna Holm")
    held = [await api.reserve(TUESDAY_AT_TEN + number * HOUR, employeeId=anna) for number in range(3)]
    booked = await api.book(timeSlotId=held[0].json()["id"], employeeId=anna, type="Online")
    assert booked.status_code == 201, booked.text
    expiry, counted = services.clock() + LIFETIME, count_expired_holds()
    for now, expired in ((expiry - SECOND, 0), (expiry, 2), (expiry + HOUR, 2)):
        await services.routing.route(now)
        assert count_expired_holds() - counted == expired


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
    await forget_meetings(services.database)
    for caller, advisor in ((await api.of(NORDLYS), "Anna Holm"), (await api.of(FJORD), "Ida Bech")):
        await cancel(caller, await book(caller, advisor=advisor, cpr="010203-1234"))
    long_after = TUESDAY_AT_TEN + 2 * KEPT
    assert await services.retention.purge(long_after) == PurgeCounts(numbers=2, meetings=2)
    assert await services.retention.purge(long_after) == PurgeCounts()


async def test_a_meeting_that_took_place_loses_its_customer_and_stays(api: Api, services: Services) -> None:
    body: dict[str, Any] = {
        "title": "About Freja",
        "externalAttendees": [{"name": "Freja", "email": "freja@example.com"}],
    }
    meeting_id, other = await book(api, **body), await book(api, day=1)
    end = TUESDAY_AT_TEN + HOUR
    assert (await services.retention.purge(end + KEPT)).erased == 0
    before = await read(api, meeting_id)
    assert (await services.retention.purge(end + KEPT + SECOND)).erased == 1
    after = await read(api, meeting_id)
    assert after.pop("customerId").startswith("erased-")
    assert after.pop("dateModified") == "2027-03-03T10:00:01Z"
    gone = {"customerId", "dateModified", "title", "externalAttendees"}
    assert after == {name: value for name, value in before.items() if name not in gone} | {"title": ""}
    assert (await read(api, other))["customerId"] == "Freja"
    history = (await api.get(f"v3/booking/meetings/{meeting_id}/history")).json()
    assert [(one["action"], one["command"], one["userId"] is None) for one in history] == [
        ("Created", None, False),
        ("Erased", "retention", True),
    ]


async def test_what_is_written_to_an_erased_meeting_is_erased_the_next_time(api: Api, services: Services) -> None:
    meeting_id = await book(api)
    long_after = TUESDAY_AT_TEN + 2 * KEPT
    await services.retention.purge(long_after)
    patch = [{"op": "replace", "path": "/title", "value": "Freja came back"}]
    answer = await api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=patch)
    assert answer.status_code == 200, answer.text
    assert (await services.retention.purge(long_after)).erased == 1
    assert (await read(api, meeting_id))["title"] == ""


async def test_a_tenant_has_periods_of_its_own(api: Api, services: Services, owner: Connection) -> None:
    await book(api, cpr="010203-1234")
    end = TUESDAY_AT_TEN + HOUR
    await set_tenant(owner, "retention_days = 10, cpr_retention_days = 20")
    assert await services.retention.purge(end + timedelta(days=10)) == PurgeCounts()
    assert await services.retention.purge(end + timedelta(days=10) + SECOND) == PurgeCounts(numbers=1, erased=1)


async def test_a_tenant_may_keep_what_meetings_say_of_customers(
    api: Api, services: Services, owner: Connection
) -> None:
    await set_tenant(owner, "erases_meetings = false, cpr_retention_days = 36500")
    meeting_id = await book(api, cpr="010203-1234")
    end = TUESDAY_AT_TEN + HOUR
    assert (await services.retention.purge(end + KEPT)).numbers == 0
    assert await services.retention.purge(end + KEPT + SECOND) == PurgeCounts(numbers=1)
    assert (await read(api, meeting_id))["customerId"] == "Freja"


async def test_many_are_erased_in_small_transactions(api: Api, database: Database) -> None:
    await forget_meetings(database)
    for day in range(5):
        await book(api, day=7 * day, cpr="010203-1234")
    retention = Retention(database, Periods(365, 30), batch=2)
    assert await retention.purge(TUESDAY_AT_TEN + 2 * KEPT) == PurgeCounts(numbers=5, erased=5)
    assert await count(database, "meeting", "erased_at is not null and cpr_encrypted is null") == 5
    assert await count(database, "(select distinct customer_id from meeting) as each") == 5


@pytest.mark.own_database
async def test_a_tenant_that_fails_is_left_to_the_next_hour_and_the_others_go_on(
    api: Api, services: Services, owner: Connection
) -> None:
    await forget_meetings(services.database)
    callers = [(await api.of(NORDLYS), "Anna Holm"), (await api.of(FJORD), "Ida Bech")]
    for caller, advisor in callers:
        await book(caller, advisor=advisor)
    await owner.execute(
        "create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;"
        "create trigger fail before update on meeting for each row"
        f" when (old.tenant_id = '{min(NORDLYS.tenant_id, FJORD.tenant_id)}') execute function fail()"
    )
    assert await services.retention.purge(TUESDAY_AT_TEN + 2 * KEPT) == PurgeCounts(erased=1)
    await owner.execute("drop trigger fail on meeting")
    assert await services.retention.purge(TUESDAY_AT_TEN + 2 * KEPT) == PurgeCounts(erased=1)


async def test_answers_that_nobody_can_repeat_go(api: Api, services: Services, database: Database) -> None:
    await book(await api.of(NORDLYS))
    assert await count(database, "idempotent_answer") == 0
    api.headers["Idempotency-Key"] = "once"
    await book(api, day=1)
    assert (await services.retention.purge(services.clock() + timedelta(hours=23))).answers == 0
    assert (await services.retention.purge(services.clock() + timedelta(hours=25))).answers == 1
    assert await count(database, "idempotent_answer") == 0
