"""Changing meetings by JSON Patch (docs/api/changing-meetings.md): each member, states and repeats."""

from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.meetings import BO, CAMILLA, DAVID, FJORDEN, INVESTING, LATER, TIMES, book, patch, replace
from support.patches import pointers

BUSINESS = str(NORDLYS.id_of("customer type", "Business"))
PORTAL = str(NORDLYS.id_of("portal", NORDLYS.name))
OLES_ANSWERS = [{"key": "subject", "value": "My home"}, {"key": "phone", "value": "+45 70 10 20 30"}]


# ----------------------------------------------------------------------------------------------------------- members


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_every_member_can_be_changed(version: str, api: Api) -> None:
    meeting = await book(api)
    changed = {
        "crmId": "CRM-2",
        "bookedBy": "PortalCustomer",
        "customerTypeId": BUSINESS,
        "title": "Ændret 🎉",
        "description": "Bring the papers.",
        "videoLink": "https://video.example/2",
        "additionalEmployees": [CAMILLA, BO],
        "roomId": FJORDEN,
        "type": "Physical",
        "topicId": INVESTING,
        "employeeId": DAVID,
        "customerId": "Ole",
        "portalId": PORTAL,
        "customFields": OLES_ANSWERS,
        "externalAttendees": [{"name": "Accountant", "email": "accountant@example.com"}],
    } | LATER
    answer = await patch(api, meeting, replace(**changed), version=version)
    assert answer.status_code == 200, answer.text
    assert {name: answer.json()[name] for name in changed} == changed
    only_in_v3 = {"language"} if version == "v2" else set[str]()
    unchanged = set(meeting) - set(changed) - {"dateModified"} - only_in_v3
    assert {name: answer.json()[name] for name in unchanged} == {name: meeting[name] for name in unchanged}
    assert (await api.get(f"{version}/booking/meetings/{meeting['id']}")).json() == answer.json()


async def test_a_removed_member_has_its_default_again(api: Api) -> None:
    full = await book(
        api,
        crmId="1",
        bookedBy="Customer",
        topicId=INVESTING,
        customerTypeId=BUSINESS,
        title="a",
        description="b",
        videoLink="https://c",
        additionalEmployees=[BO],
        portalId=PORTAL,
        customFields=OLES_ANSWERS,
        externalAttendees=[{"name": "A", "email": "a@b"}],
    )
    removable = (
        *("crmId", "bookedBy", "topicId", "customerTypeId", "title", "description", "videoLink", "type"),
        *("additionalEmployees", "portalId", "customFields", "externalAttendees", "roomId"),
    )
    bare = (await patch(api, full, [{"op": "remove", "path": f"/{name}"} for name in removable])).json()
    assert (bare["crmId"], bare["bookedBy"], bare["topicId"], bare["customerTypeId"]) == (None, "Employee", None, None)
    assert (bare["title"], bare["description"], bare["videoLink"], bare["type"]) == ("", "", "", "Physical")
    assert bare["additionalEmployees"] == []
    assert not {"portalId", "customFields", "externalAttendees"} & set(bare)


async def test_what_a_meeting_cannot_be_without_cannot_be_removed(api: Api) -> None:
    meeting = await book(api)
    for name in ("employeeId", "customerId", "startDate", "endDate", "timeSlotId"):
        answer = await patch(api, meeting, [{"op": "remove", "path": f"/{name}"}])
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), name
        assert f"{name} is required" in answer.json()["detail"]


async def test_what_is_read_only_stays(api: Api) -> None:
    meeting = await book(api)
    for name, value in (("id", str(uuid4())), ("dateCreated", TIMES["startDate"]), ("dateModified", None)):
        answer = await patch(api, meeting, replace(**{name: value}))
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_patch"), name
    answer = await patch(api, meeting, [{"op": "add", "path": "/cancelledAt", "value": TIMES["startDate"]}])
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_patch")


async def test_the_booking_flows_names_lead_to_the_same_members(api: Api) -> None:
    meeting = await book(api)
    answer = await patch(api, meeting, replace(customerCategoryId=BUSINESS, themeId=INVESTING, type="physical"))
    changed = answer.json()
    assert (changed["customerTypeId"], changed["topicId"], changed["type"]) == (BUSINESS, INVESTING, "Physical")


async def test_v2_changes_meetings_too_but_keeps_the_crm_id(api: Api) -> None:
    meeting = await book(api, crmId="1")
    assert (await patch(api, meeting, replace(title="a", crmId="2"), version="v2")).json()["crmId"] == "2"
    for operation in ({"op": "remove", "path": "/crmId"}, {"op": "replace", "path": "/crmId", "value": ""}):
        answer = await patch(api, meeting, [operation], version="v2")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/crmId")
    without = await book(api, **LATER)
    assert (await patch(api, without, replace(title="a"), version="v2")).status_code == 200


async def test_a_failed_test_changes_nothing(api: Api) -> None:
    meeting = await book(api, title="a")
    answer = await patch(api, meeting, [*replace(title="b"), {"op": "test", "path": "/customerId", "value": "Ole"}])
    assert (answer.status_code, answer.json()["code"]) == (409, "patch_test_failed")
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting


async def test_wrong_values_are_400_with_the_operation_to_blame(api: Api) -> None:
    meeting = await book(api)
    wrong: dict[str, Any] = {
        "title": "x" * 501,
        "description": "x" * 10_001,
        "type": "Hologram",
        "employeeId": "Anna",
        "additionalEmployees": [str(uuid4()) for _ in range(201)],
        "externalAttendees": [{"name": "Al", "email": "nowhere"}],
        "startDate": "tomorrow",
        "customerId": "",
        "cpr": 1,
    }
    for name, value in wrong.items():
        answer = await patch(api, meeting, [{"op": "add", "path": f"/{name}", "value": value}])
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), name
        assert answer.json()["errors"][0]["pointer"].startswith("/operations/0/value"), name


async def test_what_a_change_names_must_exist(api: Api) -> None:
    meeting = await book(api)
    unknown = str(uuid4())
    members = ("employeeId", "roomId", "topicId", "customerTypeId", "portalId")
    answer = await patch(api, meeting, replace(**dict.fromkeys(members, unknown), additionalEmployees=[BO, unknown]))
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert {error["pointer"] for error in answer.json()["errors"]} == {
        *(f"/{name}" for name in members),
        "/additionalEmployees/1",
    }


async def test_an_id_that_the_meeting_has_in_another_place_is_checked_too(api: Api) -> None:
    meeting = await book(api)
    members = ("roomId", "topicId", "customerTypeId", "portalId")
    answer = await patch(api, meeting, replace(**dict.fromkeys(members, meeting["employeeId"])))
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert {error["pointer"] for error in answer.json()["errors"]} == {f"/{name}" for name in members}


async def test_another_tenants_meeting_is_not_there(api: Api) -> None:
    meeting = await book(api)
    assert (await patch(await api.other(), meeting, replace(title="mine"))).status_code == 404


async def test_custom_fields_are_checked_against_the_portal(api: Api) -> None:
    meeting = await book(api, portalId=PORTAL, customFields=OLES_ANSWERS)
    answer = await patch(api, meeting, replace(customFields=[{"key": "shoe size", "value": "46"}]))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["errors"][0]["pointer"].startswith("/customFields")


# ------------------------------------------------------------------------------------------------- states and repeats


async def test_each_change_has_another_etag_and_who_saw_an_earlier_one_gets_412(api: Api, clock: HandClock) -> None:
    meeting = await book(api)
    first = (await api.get(f"v3/booking/meetings/{meeting['id']}")).headers["ETag"]
    clock.advance(minutes=1)
    changed = await patch(api, meeting, replace(title="a"), headers={"If-Match": first})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first
    assert changed.json()["dateModified"] == "2026-03-02T06:01:00Z"
    stale = await patch(api, meeting, replace(title="b"), headers={"If-Match": first})
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    read = await api.get(f"v3/booking/meetings/{meeting['id']}")
    assert (read.headers["ETag"], read.json()["title"]) == (changed.headers["ETag"], "a")


async def test_what_changes_nothing_leaves_no_trace(api: Api, clock: HandClock) -> None:
    meeting = await book(api, title="a")
    clock.advance(minutes=1)
    answer = await patch(api, meeting, [*replace(title="a"), {"op": "test", "path": "/customFields", "value": []}])
    assert answer.json() == meeting
    assert len((await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()) == 1


async def test_whether_the_customer_came_is_said_from_the_begin_on(api: Api, clock: HandClock) -> None:
    meeting = await book(api)
    early = await patch(api, meeting, replace(attendance="NoShow"))
    assert (early.status_code, pointers(early)) == (400, ["/attendance"])
    clock.advance(days=2)
    api = await api.of(api.firm)
    said = await patch(api, meeting, replace(attendance="NoShow"))
    assert (said.status_code, said.json()["attendance"]) == (200, "NoShow")
    listed = f"booking/meetings?timeSlotId={meeting['timeSlotId']}"
    assert (await api.get(f"v3/{listed}")).json()[0]["attendance"] == "NoShow"
    assert "attendance" not in (await api.get(f"v2/{listed}")).json()[0]
    assert "attendance" not in (await api.get(f"v2/booking/meetings/{meeting['id']}")).json()
    wrong = await patch(api, meeting, replace(attendance="Late"))
    assert (wrong.status_code, pointers(wrong)) == (400, ["/operations/0/value"])
    assert (await patch(api, meeting, replace(attendance="Attended", title="b"), version="v2")).status_code == 200
    assert (await api.get(f"v3/{listed}")).json()[0]["attendance"] == "NoShow"
    taken_back = await patch(api, meeting, [{"op": "remove", "path": "/attendance"}])
    assert "attendance" not in taken_back.json()
    entries = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert [entry["changes"] for entry in entries[1:]] == [
        [{"member": "attendance", "before": None, "after": "NoShow"}],
        [{"member": "title", "before": "", "after": "b"}],
        [{"member": "attendance", "before": "NoShow", "after": None}],
    ]
