"""Resources in use cannot be deleted, and deleted ones stay known to meetings that are over.

The rules: docs/api/changes.md#deletion.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from meetdeck.booking.directory.employees.service import EMPLOYEES
from meetdeck.booking.directory.meeting_topics.service import TOPICS
from meetdeck.booking.directory.rooms.service import ROOMS
from meetdeck.booking.scheduling.meetings.schemas.meetings import NewMeeting
from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.scheduling.time_slots.schemas import TimeSlot
from meetdeck.booking.scheduling.time_slots.store import time_slots as scheduling
from meetdeck.platform.database import ChangedMeanwhile, Database
from meetdeck.platform.identity import Principal
from meetdeck.platform.values import Moment
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import forget_meetings

ANYBODY = uuid4()
THURSDAY = TUESDAY_AT_TEN + timedelta(days=2)
NAMED = "meeting 'Annual review' at 2026-03-03T09:00Z, meeting at 2026-03-03T10:00Z"


async def add(api: Api, area: str, **members: Any) -> str:
    answer = await api.post(f"v3/booking/config/{area}", {"name": "Zoe Zahle"} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def book(api: Api, *, hours_later: int = 0, **members: Any) -> dict[str, Any]:
    starts_at = TUESDAY_AT_TEN + timedelta(hours=hours_later)
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + timedelta(hours=1)).isoformat()}
    answer = await api.book(**{"employeeId": api.id_of("employee", "Gitte Møller")} | times | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def delete(api: Api, area: str, resource_id: str) -> tuple[int, str]:
    """Delete something; return the status and what was said."""
    answer = await api.request("DELETE", f"v3/booking/config/{area}/{resource_id}")
    if answer.status_code == 409:
        assert answer.json()["code"] == "in_use"
    return answer.status_code, answer.json()["detail"] if answer.content else ""


async def wait_until(moment: datetime, api: Api, clock: HandClock) -> Api:
    """Move the clock, and call with a fresh token."""
    clock.moment = moment
    return await api.of(api.firm)


async def read_calendar(api: Api, meeting: dict[str, Any]) -> str:
    answer = await api.post(f"v3/booking/meetings/{meeting['id']}/ical", headers={"Accept": "text/calendar"})
    assert answer.status_code == 200, answer.text
    return answer.text.replace("\r\n ", "")


# --------------------------------------------------------------------------------------------------- employees, rooms


async def test_an_employee_with_meetings_to_come_stays_and_the_refusal_names_them(api: Api) -> None:
    zoe = await add(api, "employees")
    await book(api, employeeId=zoe, title="Annual review")
    await book(api, hours_later=1, additionalEmployees=[zoe])
    status, said = await delete(api, "employees", zoe)
    assert (status, said) == (409, f"The employee Zoe Zahle is in use by {NAMED}. Change or delete that first.")
    assert (await api.get(f"v3/booking/employees/{zoe}")).status_code == 200


async def test_of_many_meetings_the_first_five_are_named(api: Api) -> None:
    zoe = await add(api, "employees")
    for hour in range(7):
        await book(api, hours_later=hour, employeeId=zoe, title=f"Meeting {hour}")
    status, said = await delete(api, "employees", zoe)
    assert status == 409
    assert "'Meeting 4' at 2026-03-03T13:00Z and 2 more." in said
    assert "Meeting 5" not in said


async def test_a_running_meeting_keeps_its_employee_and_its_room(api: Api, clock: HandClock) -> None:
    zoe, zenit = await add(api, "employees"), await add(api, "rooms", capacity=4)
    await book(api, employeeId=zoe, roomId=zenit)
    api = await wait_until(TUESDAY_AT_TEN + timedelta(minutes=30), api, clock)
    for area, one in (("employees", zoe), ("rooms", zenit)):
        assert (await delete(api, area, one))[0] == 409
    api = await wait_until(TUESDAY_AT_TEN + timedelta(minutes=60), api, clock)
    for area, one in (("employees", zoe), ("rooms", zenit)):
        assert (await delete(api, area, one))[0] == 204


async def test_a_reservation_keeps_its_employee_and_its_room_until_it_expires(api: Api, clock: HandClock) -> None:
    zoe, zenit = await add(api, "employees"), await add(api, "rooms", capacity=4, name="Zenit")
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=zoe, roomId=zenit)).status_code == 201
    for area, one in (("employees", zoe), ("rooms", zenit)):
        status, said = await delete(api, area, one)
        assert status == 409
        assert "is in use by reservation at 2026-03-03T09:00Z." in said
    clock.advance(minutes=5)
    for area, one in (("employees", zoe), ("rooms", zenit)):
        assert (await delete(api, area, one))[0] == 204


async def test_meetings_that_are_over_still_say_who_and_where(api: Api, clock: HandClock) -> None:
    zoe = await add(api, "employees", email="zoe@nordlys.example")
    yan = await add(api, "employees", name="Yan Yde", email="yan@nordlys.example")
    zenit = await add(api, "rooms", name="Zenit", capacity=4, location="Aarhus")
    meeting = await book(api, employeeId=zoe, additionalEmployees=[yan], roomId=zenit)
    before = await read_calendar(api, meeting)
    api = await wait_until(THURSDAY, api, clock)
    for area, one in (("employees", zoe), ("employees", yan), ("rooms", zenit)):
        assert (await delete(api, area, one))[0] == 204
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting
    for said in (
        'CN="Zoe Zahle":mailto:zoe@nordlys.example',
        "yan@nordlys.example",
        "Zenit\\, Aarhus\\, Åboulevarden 12",
    ):
        assert said in before
        assert said in await read_calendar(api, meeting)


async def test_an_id_that_comes_back_is_the_one_of_before(api: Api, clock: HandClock) -> None:
    zoe = await add(api, "employees")
    meeting = await book(api, employeeId=zoe)
    api = await wait_until(THURSDAY, api, clock)
    assert (await delete(api, "employees", zoe))[0] == 204
    await add(api, "employees", id=zoe, name="Zoe Zahle-Ytting")
    assert "Zoe Zahle-Ytting" in await read_calendar(api, meeting)
    answer = await api.reserve(TUESDAY_AT_TEN + timedelta(days=7), employeeId=zoe)
    assert answer.status_code == 201


async def test_a_deleted_employee_is_neither_offered_nor_booked_nor_in_a_group(api: Api, database: Database) -> None:
    anna = api.id_of("employee", "Anna Holm")
    await forget_meetings(database)
    assert (await delete(api, "employees", anna))[0] == 204
    found = await api.get("v3/booking/time-slots/available?requireEmployeeParticipation=false")
    assert found.json()
    assert anna not in {slot["employeeId"] for slot in found.json()}
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=anna)).json()["code"] == "reference_not_found"
    assert (await api.book(employeeId=anna)).json()["code"] == "reference_not_found"
    async with database.transaction(api.firm.tenant_id) as connection:
        for table in ("employee_schedule", "competence_group_employee", "service_group_employee", "employee"):
            statement = f"select count(*) from {table} where employee_id = $1"  # noqa: S608 - our own names
            assert await connection.fetchval(statement, anna) == 0, table
        assert await connection.fetchval("select count(*) from resource where resource_id = $1", anna) == 0


async def test_names_are_kept_only_of_those_whom_a_meeting_names(api: Api, database: Database) -> None:
    assert (await delete(api, "employees", await add(api, "employees")))[0] == 204
    assert (await delete(api, "rooms", await add(api, "rooms", capacity=1)))[0] == 204
    async with database.transaction(api.firm.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from deletion") == 0


# ------------------------------------------------------------------------------------------- topics and customer types


async def test_a_topic_stays_while_groups_portals_or_meetings_to_come_are_about_it(api: Api, clock: HandClock) -> None:
    review = api.id_of("topic", "Annual review")
    await api.post("v3/booking/config/portals", {"name": "Reviews", "topicId": review})
    status, said = await delete(api, "meeting-topics", review)
    assert status == 409
    assert "competence group 'Annual review', portal 'Reviews'" in said
    topic = await add(api, "meeting-topics", name="Zero debt")
    meeting = await book(api, topicId=topic, title="No more")
    status, said = await delete(api, "meeting-topics", topic)
    assert (status, "in use by meeting 'No more' at 2026-03-03T09:00Z." in said) == (409, True)
    api = await wait_until(THURSDAY, api, clock)
    assert (await delete(api, "meeting-topics", topic))[0] == 204
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["topicId"] == topic


async def test_a_customer_type_stays_while_anything_is_for_it(api: Api, clock: HandClock) -> None:
    zoo = await add(api, "customer-types", name="Zoo")
    topic = await add(api, "meeting-topics", name="Zero debt", customerTypeIds=[zoo])
    zoe = await add(api, "employees", customerTypeIds=[zoo])
    meeting = await book(api, customerTypeId=zoo)
    status, said = await delete(api, "customer-types", zoo)
    assert status == 409
    assert "employee 'Zoe Zahle', topic 'Zero debt', meeting at 2026-03-03T09:00Z" in said
    await api.request("PUT", f"v3/booking/config/meeting-topics/{topic}", json={"name": "Zero debt"})
    await api.request("PUT", f"v3/booking/config/employees/{zoe}", json={"name": "Zoe"})
    api = await wait_until(THURSDAY, api, clock)
    assert (await delete(api, "customer-types", zoo))[0] == 204
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["customerTypeId"] == zoo
    status, said = await delete(api, "customer-types", api.id_of("customer type", "Private"))
    assert (status, "portal 'Nordlys Rådgivning'" in said) == (409, True)


async def test_groups_keep_a_customer_type_and_a_topic(api: Api) -> None:
    zoo, topic = await add(api, "customer-types", name="Zoo"), await add(api, "meeting-topics", name="Zero debt")
    body = {"name": "Keepers", "customerTypeIds": [zoo], "topicIds": [topic]}
    assert (await api.post("v3/booking/config/competence-groups", body)).status_code == 201
    for area, one in (("customer-types", zoo), ("meeting-topics", topic)):
        status, said = await delete(api, area, one)
        assert (status, "competence group 'Keepers'" in said) == (409, True)


# ------------------------------------------------------------------------------------------------ at the same moment


def describe_meeting(api: Api, **members: Any) -> NewMeeting:
    ends_at = TUESDAY_AT_TEN + timedelta(hours=1)
    whole: dict[str, Any] = {
        "employee_id": UUID(api.id_of("employee", "Gitte Møller")),
        "customer_id": "Freja",
        "start_date": Moment.fromisoformat(TUESDAY_AT_TEN.isoformat()),
        "end_date": Moment.fromisoformat(ends_at.isoformat()),
    }
    return NewMeeting(**whole | members)


async def test_who_deletes_waits_for_whoever_is_booking(api: Api, services: Services) -> None:
    zoe, zenit = await add(api, "employees"), await add(api, "rooms", capacity=4)
    topic, zoo = await add(api, "meeting-topics", name="Zero debt"), await add(api, "customer-types", name="Zoo")
    meeting = describe_meeting(
        api, employee_id=UUID(zoe), room_id=UUID(zenit), topic_id=UUID(topic), customer_type_id=UUID(zoo)
    )
    kept = [("employees", zoe), ("rooms", zenit), ("meeting-topics", topic), ("customer-types", zoo)]
    caller = Principal(api.firm.tenant_id, ANYBODY)
    async with services.database.transaction(api.firm.tenant_id) as connection:
        await meetings.create_meeting(connection, caller, meeting, services.encryption, services.clock())
        deletions = [asyncio.create_task(delete(api, area, one)) for area, one in kept]
        await asyncio.sleep(0.5)
        assert [one.done() for one in deletions] == [False] * 4
    assert [status for status, _ in await asyncio.gather(*deletions)] == [409] * 4


async def test_who_books_waits_for_whoever_is_deleting_and_is_refused(api: Api, services: Services) -> None:
    zoe, zenit, topic = (
        await add(api, "employees"),
        await add(api, "rooms", capacity=4),
        await add(api, "meeting-topics", name="Zero debt"),
    )
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()}
    gitte, now = api.id_of("employee", "Gitte Møller"), services.clock()
    async with services.database.transaction(api.firm.tenant_id) as connection:
        await EMPLOYEES.delete(connection, await EMPLOYEES.get(connection, UUID(zoe), for_update=True), now)
        await ROOMS.delete(connection, await ROOMS.get(connection, UUID(zenit), for_update=True), now)
        await TOPICS.delete(connection, await TOPICS.get(connection, UUID(topic), for_update=True), now)
        rivals = [
            asyncio.create_task(one)
            for one in (
                api.book(employeeId=zoe, **times),
                api.reserve(TUESDAY_AT_TEN, roomId=zenit),
                api.book(employeeId=gitte, topicId=topic, **times),
            )
        ]
        await asyncio.sleep(0.5)
        assert [one.done() for one in rivals] == [False] * 3
    codes = [answer.json()["code"] for answer in await asyncio.gather(*rivals)]
    assert codes == ["changed_meanwhile", "reference_not_found", "reference_not_found"]


async def test_nothing_is_taken_for_somebody_who_is_gone(api: Api, services: Services) -> None:
    slot = TimeSlot(
        time_slot_id=uuid4(),
        starts_at=TUESDAY_AT_TEN,
        ends_at=TUESDAY_AT_TEN + timedelta(hours=1),
        employee_id=None,
        room_id=None,
        status=SlotStatus.BOOKED,
    )
    anna = UUID(api.id_of("employee", "Anna Holm"))
    async with services.database.transaction(api.firm.tenant_id) as connection:
        await scheduling.add_slot(connection, slot, [anna], now=services.clock())
        with pytest.raises(ChangedMeanwhile):
            await scheduling.occupy(connection, slot, [anna, uuid4()], now=services.clock())


async def test_of_many_who_delete_one_does(api: Api) -> None:
    zoe = await add(api, "employees")
    statuses = [status for status, _ in await asyncio.gather(*(delete(api, "employees", zoe) for _ in range(6)))]
    assert sorted(statuses) == [204, *[404] * 5]


async def test_of_many_who_add_one_id_one_does(api: Api) -> None:
    own = str(uuid4())
    bodies = [("employees", {"name": "Zoe"}), ("rooms", {"name": "Zenit", "capacity": 1})] * 3
    answers = await asyncio.gather(
        *(api.post(f"v3/booking/config/{area}", body | {"id": own}) for area, body in bodies)
    )
    assert sorted(answer.status_code for answer in answers) == [201, *[409] * 5]


async def test_of_writers_who_saw_the_same_state_one_wins(api: Api) -> None:
    zoe = await add(api, "employees")
    private, business = api.id_of("customer type", "Private"), api.id_of("customer type", "Business")
    path = f"v3/booking/config/employees/{zoe}"
    seen = {"If-Match": (await api.get(path)).headers["ETag"]}
    bodies = [{"name": "Zoe Zahle", "customerTypeIds": ids} for ids in ([private], [business], [private, business])]
    answers = await asyncio.gather(*(api.request("PUT", path, json=body, headers=seen) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 412, 412]
    winner = next(answer for answer in answers if answer.status_code == 200)
    assert (await api.get(path)).json() == winner.json()
