"""Creating and reading meetings, in both dialects (docs/api/meetings.md#meeting-bodies, #meetings)."""

from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

ANNA, BO, CAMILLA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:3])
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
PRIVATE = str(NORDLYS.id_of("customer type", "Private"))
REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
PORTAL = str(NORDLYS.id_of("portal", NORDLYS.name))
TIMES = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
CONTRACTS_FIELDS = {
    *("id", "crmId", "bookedBy", "customerTypeId", "timeSlotId", "dateCreated", "dateModified", "title", "description"),
    *("videoLink", "additionalEmployees", "roomId", "startDate", "endDate", "type", "topicId", "employeeId"),
    "customerId",
}


async def reserve_anna(api: Api) -> str:
    slot = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    assert slot.status_code == 201
    return slot.json()["id"]


# ---------------------------------------------------------------------------------------------------------- dialects


async def test_v2_makes_a_meeting_of_everything_it_can_say(api: Api) -> None:
    answer = await api.book(
        version="v2",
        bookedBy="PortalCustomer",
        crmId="CRM-1",
        customerTypeId=PRIVATE,
        timeSlotId=await reserve_anna(api),
        topicId=REVIEW,
        employeeId=ANNA,
        customerId="Freja",
        type="Online",
        title="Årsmøde",
        description="Bring the papers.",
        videoLink="https://video.example/1",
        additionalEmployees=[BO, CAMILLA],
        roomId=HAVBLIK,
        portalId=PORTAL,
        cpr="010203-1234",
        customFields=[{"key": "subject", "value": "My home"}, {"key": "stepFree", "value": "true"}],
        externalAttendees=[{"name": "Accountant", "email": "accountant@example.com"}],
    )
    meeting = answer.json()
    assert answer.status_code == 201
    assert set(meeting) == CONTRACTS_FIELDS | {"portalId", "customFields", "externalAttendees"}
    assert (meeting["bookedBy"], meeting["type"], meeting["crmId"]) == ("PortalCustomer", "Online", "CRM-1")
    assert (meeting["title"], meeting["additionalEmployees"]) == ("Årsmøde", [BO, CAMILLA])
    assert (meeting["startDate"], meeting["endDate"]) == (TIMES["startDate"], TIMES["endDate"])
    assert meeting["dateCreated"] == meeting["dateModified"] == "2026-03-02T06:00:00Z"
    assert answer.headers["Location"] == f"http://meetdeck.test/api/v2/booking/meetings/{meeting['id']}"
    assert (await api.get(f"v2/booking/meetings/{meeting['id']}")).json() == meeting
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting | {"language": "en-GB"}


async def test_v3_needs_the_employee_and_the_customer_alone(api: Api) -> None:
    meeting = (await api.book(employeeId=ANNA, timeSlotId=await reserve_anna(api))).json()
    assert set(meeting) == CONTRACTS_FIELDS | {"language"}
    assert (meeting["bookedBy"], meeting["type"], meeting["crmId"]) == ("Employee", "Physical", None)
    assert (meeting["topicId"], meeting["title"], meeting["additionalEmployees"]) == (None, "", [])


async def test_v2_needs_the_crm_id(api: Api) -> None:
    for crm_id in [{}, {"crmId": ""}, {"crmId": None}]:
        answer = await api.book(version="v2", employeeId=ANNA, bookedBy="Customer", type="Physical", **TIMES, **crm_id)
        assert answer.status_code == 400
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/crmId"]


@pytest.mark.parametrize("prefix", ["v2/booking/booking", "v3/booking"])
async def test_the_booking_flow_has_no_crm_id_and_its_own_names(prefix: str, api: Api) -> None:
    answer = await api.post(
        f"{prefix}/meetings",
        {
            "bookedBy": "customer",
            "customerCategoryId": PRIVATE,
            "timeSlotId": await reserve_anna(api),
            "type": "physical",
            "themeId": REVIEW,
            "roomId": HAVBLIK,
            "employeeId": ANNA,
            "customerId": "Freja",
            "description": "First time.",
        },
    )
    meeting = answer.json()
    assert answer.status_code == 201
    assert (meeting["bookedBy"], meeting["type"]) == ("Customer", "Physical")
    assert (meeting["customerTypeId"], meeting["topicId"]) == (PRIVATE, REVIEW)


async def test_everything_required_that_is_missing_is_named(api: Api) -> None:
    answer = await api.post("v3/booking/meetings", {"externalAttendees": [{"name": "A", "email": "nowhere"}]})
    assert answer.status_code == 400
    assert {error["pointer"] for error in answer.json()["errors"]} == {
        "/employeeId",
        "/customerId",
        "/externalAttendees/0/email",
    }


# ------------------------------------------------------------------------------------------------------ reservations


async def test_a_reservation_becomes_a_meeting_once(api: Api) -> None:
    slot = await reserve_anna(api)
    assert (await api.book(employeeId=ANNA, timeSlotId=slot)).status_code == 201
    again = await api.book(employeeId=ANNA, timeSlotId=slot)
    assert (again.status_code, again.json()["code"]) == (409, "reservation_gone")


async def test_an_expired_reservation_is_409(api: Api, clock: HandClock) -> None:
    slot = await reserve_anna(api)
    clock.advance(minutes=5)
    answer = await api.book(employeeId=ANNA, timeSlotId=slot)
    assert (answer.status_code, answer.json()["code"]) == (409, "reservation_gone")
    assert "expired" in answer.json()["detail"]


async def test_another_employees_reservation_is_409(api: Api) -> None:
    answer = await api.book(employeeId=BO, timeSlotId=await reserve_anna(api))
    assert (answer.status_code, answer.json()["code"]) == (409, "reservation_gone")


async def test_a_reservation_that_is_none_is_404(api: Api) -> None:
    answer = await api.book(employeeId=ANNA, timeSlotId=str(uuid4()))
    assert answer.status_code == 404
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/timeSlotId"]


async def test_a_bare_time_is_given_to_the_employee_of_the_meeting(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, roomId=HAVBLIK)).json()
    meeting = (await api.book(employeeId=ANNA, timeSlotId=slot["id"])).json()
    assert (meeting["employeeId"], meeting["roomId"]) == (ANNA, HAVBLIK)
    assert (await api.book(employeeId=ANNA, **TIMES)).status_code == 409


async def test_a_bare_time_is_no_use_when_the_employee_is_taken(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN)).json()
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    answer = await api.book(employeeId=ANNA, timeSlotId=slot["id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "time_slot_taken")


async def test_another_room_than_the_reserved_one_frees_the_reserved_one(api: Api) -> None:
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).json()
    assert (await api.book(employeeId=ANNA, timeSlotId=slot["id"], roomId=FJORDEN)).json()["roomId"] == FJORDEN
    assert (await api.reserve(TUESDAY_AT_TEN, roomId=HAVBLIK)).status_code == 201
    assert (await api.reserve(TUESDAY_AT_TEN, roomId=FJORDEN)).status_code == 409


# --------------------------------------------------------------------------------------------------------- directly


async def test_a_time_can_be_booked_directly(api: Api) -> None:
    meeting = (await api.book(employeeId=ANNA, startDate="2026-03-03T10:00", endDate="2026-03-03T11:00")).json()
    assert (meeting["startDate"], meeting["endDate"]) == (TIMES["startDate"], TIMES["endDate"])


async def test_room_and_additional_employees_are_taken_too(api: Api) -> None:
    booked = await api.book(employeeId=ANNA, additionalEmployees=[BO], roomId=HAVBLIK, **TIMES)
    assert booked.status_code == 201
    every_resource: list[dict[str, Any]] = [{"employeeId": ANNA}, {"employeeId": BO}, {"roomId": HAVBLIK}]
    for taken in every_resource:
        assert (await api.reserve(TUESDAY_AT_TEN, **taken)).status_code == 409
    for attempt in (
        {"employeeId": CAMILLA, "additionalEmployees": [BO]},
        {"employeeId": CAMILLA, "roomId": HAVBLIK},
        {"employeeId": BO},
    ):
        answer = await api.book(**attempt, **TIMES)
        assert (answer.status_code, answer.json()["code"]) == (409, "time_slot_taken")
    assert (await api.book(employeeId=CAMILLA, roomId=FJORDEN, **TIMES)).status_code == 201


async def test_somebody_named_twice_takes_part_once(api: Api) -> None:
    meeting = await api.book(employeeId=ANNA, additionalEmployees=[BO, BO, ANNA], **TIMES)
    assert meeting.status_code == 201
    assert meeting.json()["additionalEmployees"] == [BO]  # Anna takes part anyway
    swapped = [{"op": "replace", "path": "/employeeId", "value": BO}]
    answer = await api.request("PATCH", f"v3/booking/meetings/{meeting.json()['id']}", json=swapped)
    assert (answer.json()["employeeId"], answer.json()["additionalEmployees"]) == (BO, [])


async def test_with_neither_a_reservation_nor_times_it_is_400(api: Api) -> None:
    for times in [{}, {"startDate": TIMES["startDate"]}, {"endDate": TIMES["endDate"]}]:
        answer = await api.book(employeeId=ANNA, **times)
        assert answer.status_code == 400
        assert "timeSlotId" in answer.json()["detail"]


SENSELESS = [
    (TIMES | {"startDate": "2026-03-02T05:00:00Z"}, "/startDate"),
    (TIMES | {"endDate": "2026-03-03T09:00:00Z"}, "/endDate"),
    (TIMES | {"startDate": "tomorrow"}, "/startDate"),
]


async def test_times_that_make_no_sense_are_400(api: Api) -> None:
    for times, pointer in SENSELESS:
        answer = await api.book(employeeId=ANNA, **times)
        assert answer.status_code == 400
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_everything_named_that_does_not_exist_is_404_with_its_pointer(api: Api) -> None:
    unknown = str(uuid4())
    answer = await api.book(
        employeeId=unknown,
        roomId=unknown,
        topicId=unknown,
        customerTypeId=unknown,
        portalId=unknown,
        additionalEmployees=[BO, unknown],
        **TIMES,
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert {error["pointer"] for error in answer.json()["errors"]} == {
        "/employeeId",
        "/roomId",
        "/topicId",
        "/customerTypeId",
        "/portalId",
        "/additionalEmployees/1",
    }
    in_the_flow = {"bookedBy": "customer", "customerCategoryId": unknown, "themeId": unknown}
    answer = await api.book(version="v2", employeeId=ANNA, **in_the_flow, **TIMES)
    assert answer.status_code == 404
    assert {error["pointer"] for error in answer.json()["errors"]} == {"/customerCategoryId", "/themeId"}


async def test_a_refused_meeting_leaves_nothing_behind(api: Api, database: Database) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert (await api.book(employeeId=ANNA, additionalEmployees=[BO], **TIMES)).status_code == 409
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from meeting where starts_at = $1", TUESDAY_AT_TEN) == 0


# ---------------------------------------------------------------------------------------------------------- privacy


async def test_a_cpr_number_never_comes_back_and_is_encrypted_at_rest(
    api: Api, services: Services, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await api.book(employeeId=ANNA, cpr="010203-1234", **TIMES)
    meeting_id = answer.json()["id"]
    calendar = await api.post(f"v3/booking/meetings/{meeting_id}/ical")
    for shown in (answer.text, (await api.get(f"v3/booking/meetings/{meeting_id}")).text, calendar.text, caplog.text):
        assert "010203" not in shown
        assert "cpr" not in shown.lower()
    async with database.transaction(NORDLYS.tenant_id) as connection:
        row = await connection.fetchrow("select meeting, cpr_encrypted from meeting where meeting_id = $1", meeting_id)
    assert row is not None
    assert "010203-1234" not in str(row["meeting"])
    assert b"010203-1234" not in row["cpr_encrypted"]
    assert services.encryption.decrypt(NORDLYS.tenant_id, row["cpr_encrypted"]) == "010203-1234"


async def test_another_tenants_meeting_is_not_there(api: Api) -> None:
    other = await api.other()
    meeting_id = (await api.book(employeeId=ANNA, **TIMES)).json()["id"]
    assert (await other.get(f"v3/booking/meetings/{meeting_id}")).status_code == 404
    assert (await other.post(f"v3/booking/meetings/{meeting_id}/ical")).status_code == 404
    assert (await other.book(employeeId=ANNA, **TIMES)).status_code == 404
    ida = other.id_of("employee", "Ida Bech")
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=BO)).json()
    assert (await other.book(employeeId=ida, timeSlotId=slot["id"])).status_code == 404
