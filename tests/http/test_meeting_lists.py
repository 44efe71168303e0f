"""Lists of meetings, cancelling them, and their history (docs/api/meetings.md)."""

from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, GITTE, HAVBLIK, book, without_language
from support.statements import logged_statements

pytestmark = pytest.mark.usefixtures("no_meetings")


async def list_ids(api: Api, query: str = "") -> list[str]:
    """List in both versions, which answer the same but for the language."""
    newer, older = [await api.get(f"{version}/booking/meetings{query}") for version in ("v3", "v2")]
    assert newer.status_code == 200, newer.text
    assert [without_language(one) for one in newer.json()] == older.json()
    return [meeting["id"] for meeting in newer.json()]


async def cancel(api: Api, meeting: dict[str, Any], *, version: str = "v3", **arguments: Any) -> Any:
    return await api.request("DELETE", f"{version}/booking/meetings/{meeting['id']}", **arguments)


# ------------------------------------------------------------------------------------------------------------- lists


async def test_meetings_are_listed_by_their_start_as_they_are_read(api: Api) -> None:
    assert (await api.get("v3/booking/meetings")).json() == []
    later, earlier = await book(api, day=1, additionalEmployees=[BO]), await book(api, externalAttendees=[])
    listed = {version: (await api.get(f"{version}/booking/meetings")).json() for version in ("v2", "v3")}
    assert listed == {"v3": [earlier, later], "v2": [without_language(earlier), without_language(later)]}
    assert await list_ids(await api.other()) == []


async def test_an_employees_meetings_are_those_of_additional_employees_too(api: Api) -> None:
    annas, bos = await book(api), await book(api, day=1, employeeId=BO, additionalEmployees=[ANNA])
    assert await list_ids(api, f"?employeeId={ANNA}") == [annas["id"], bos["id"]]
    assert await list_ids(api, f"?employeeId={BO}") == [bos["id"]]
    assert await list_ids(api, f"?employeeId={GITTE}") == []
    assert await list_ids(api, f"?employeeIds={BO}&employeeIds={GITTE}") == [bos["id"]]
    assert await list_ids(api, f"?employeeIds={GITTE}&employeeId={ANNA}") == [annas["id"], bos["id"]]
    day = f"startDate={TUESDAY_AT_TEN.date()}T00:00:00Z&endDate={TUESDAY_AT_TEN.date()}T23:00:00Z"
    assert await list_ids(api, f"?employeeIds={ANNA}&{day}") == [annas["id"]]


async def test_a_meeting_is_found_by_a_part_of_names_and_addresses_its_customer_and_its_reference(api: Api) -> None:
    freja = [{"name": "Freja Ørsted", "email": "freja@example.com"}]
    meeting = await book(api, title="Pension 100%", externalAttendees=freja, customerId="C-77")
    await book(api, day=1, title="A house", externalAttendees=[], customerId="C-777")
    day, month = "startDate=2026-03-01T00:00:00Z", "endDate=2026-06-01T00:00:00Z"
    texts = ["ØRSTED", "freja ørs", "@EXAMPLE.com", "pension", "100%", "C-77", meeting["id"][:8].upper()]
    reference = f"{meeting['id'][:4]}-{meeting['id'][4:8]}".upper()
    for text in (*texts, reference):
        assert await list_ids(api, f"?{day}&{month}&search={quote(text)}") == [meeting["id"]], text
    for text in ("c-7", "p_nsion", "Ole", '","'):
        assert await list_ids(api, f"?{day}&{month}&search={quote(text)}") == [], text
    assert len(await list_ids(api, f"?{day}&{month}&search=%20")) == 2
    for query in (f"?{day}&search=x", "?search=x", f"?{day}&endDate=2026-06-02T00:00:00Z&search=x"):
        answer = await api.get(f"v3/booking/meetings{query}")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/query/search")


async def test_the_meeting_of_a_time_slot_is_found(api: Api) -> None:
    meeting, _ = await book(api), await book(api, day=1)
    assert await list_ids(api, f"?timeSlotId={meeting['timeSlotId']}") == [meeting["id"]]


async def test_what_a_list_names_must_exist(api: Api) -> None:
    for name in ("employeeId", "timeSlotId"):
        answer = await api.get(f"v3/booking/meetings?{name}={uuid4()}")
        assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/query/{name}"]


async def test_the_meetings_of_somebody_who_left_are_still_found(api: Api, clock: HandClock) -> None:
    meeting = await book(api, employeeId=GITTE)
    clock.advance(days=7)
    api = await api.of(api.firm)
    assert (await api.request("DELETE", f"v3/booking/config/employees/{GITTE}")).status_code == 204
    assert await list_ids(api, f"?employeeId={GITTE}") == [meeting["id"]]


async def test_changes_are_found_from_one_moment_until_before_another(api: Api, clock: HandClock) -> None:
    first = await book(api)
    clock.advance(minutes=10)
    second = await book(api, day=1)
    for query, expected in (
        ("?startDateModified=2026-03-02T06:00:00Z", [first, second]),
        ("?startDateModified=2026-03-02T06:00:01Z", [second]),
        ("?endDateModified=2026-03-02T06:10:00Z", [first]),
        ("?startDateModified=2026-03-02T06:10:00Z&endDateModified=2026-03-02T06:10:00.000001Z", [second]),
        ("?startDateModified=2026-03-02T07:10", [second]),  # the organization's time
        ("?endDateModified=2026-03-02T06:00:00Z", []),
    ):
        assert await list_ids(api, query) == [meeting["id"] for meeting in expected], query
    clock.advance(minutes=10)
    await api.request(
        "PATCH", f"v3/booking/meetings/{first['id']}", json=[{"op": "add", "path": "/title", "value": "a"}]
    )
    assert await list_ids(api, "?startDateModified=2026-03-02T06:20:00Z") == [first["id"]]


async def test_wrong_filters_are_400_with_their_names(api: Api) -> None:
    answer = await api.get("v2/booking/meetings?employeeId=Anna&startDateModified=now&includeCancelled=perhaps")
    assert answer.status_code == 400
    assert {error["pointer"] for error in answer.json()["errors"]} == {
        "/query/employeeId",
        "/query/startDateModified",
        "/query/includeCancelled",
    }


async def test_a_list_takes_as_many_statements_for_many_meetings_as_for_one(api: Api, database: Database) -> None:
    await book(api)
    with logged_statements(database) as of_one:
        await list_ids(api, f"?employeeId={ANNA}")
    for day in range(1, 31):
        await book(api, day=day, additionalEmployees=[BO])
    with logged_statements(database) as of_many:
        assert len(await list_ids(api, f"?employeeId={ANNA}")) == 31
    assert len(of_one) == len(of_many)


# -------------------------------------------------------------------------------------------------------- cancelling


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_cancelled_meeting_is_gone_and_its_time_is_free(version: str, api: Api, database: Database) -> None:
    meeting = await book(api, additionalEmployees=[BO], roomId=HAVBLIK)
    answer = await cancel(api, meeting, version=version)
    assert (answer.status_code, answer.content) == (204, b"")
    path = f"{version}/booking/meetings/{meeting['id']}"
    assert (await api.get(path)).json()["code"] == "meeting_not_found"
    assert (await api.request("PATCH", path, json=[])).status_code == 404
    assert (await cancel(api, meeting, version=version)).status_code == 404
    assert await list_ids(api) == []
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).status_code == 201
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=BO)).status_code == 201
    async with database.transaction(NORDLYS.tenant_id) as connection:
        slots = "select status from time_slot where time_slot_id = $1"
        assert await connection.fetchval(slots, meeting["timeSlotId"]) == "Released"


async def test_a_list_shows_cancelled_meetings_when_asked(api: Api, clock: HandClock) -> None:
    meeting, other = await book(api), await book(api, day=1)
    clock.advance(minutes=5)
    await cancel(api, meeting)
    listed = (await api.get("v2/booking/meetings?includeCancelled=true")).json()
    now = "2026-03-02T06:05:00Z"
    cancelled = meeting | {"cancelledAt": now, "dateModified": now}
    assert listed == [without_language(cancelled), without_language(other)]


async def test_cancelling_honours_if_match(api: Api) -> None:
    meeting = await book(api)
    stale = await cancel(api, meeting, headers={"If-Match": '"another"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    tag = (await api.get(f"v3/booking/meetings/{meeting['id']}")).headers["ETag"]
    assert (await cancel(api, meeting, headers={"If-Match": tag})).status_code == 204


async def test_another_tenants_meeting_cannot_be_cancelled(api: Api) -> None:
    meeting = await book(api)
    assert (await cancel(await api.other(), meeting)).status_code == 404
    assert await list_ids(api) == [meeting["id"]]


# ----------------------------------------------------------------------------------------------------------- history


async def test_the_history_says_who_did_what_and_when(api: Api, clock: HandClock) -> None:
    meeting = await book(api, title="a")
    clock.advance(minutes=1)
    operations = [
        {"op": "replace", "path": "/title", "value": "b"},
        {"op": "replace", "path": "/additionalEmployees", "value": [BO]},
        {"op": "add", "path": "/externalAttendees/-", "value": {"name": "Al", "email": "al@example.com"}},
    ]
    elevated = await api.of(NORDLYS, elevated=True)
    await elevated.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)
    clock.advance(minutes=1)
    await cancel(api, meeting)
    created, changed, cancelled = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert (created["action"], created["happenedAt"], created["changes"]) == ("Created", "2026-03-02T06:00:00Z", [])
    assert (changed["action"], changed["happenedAt"]) == ("Changed", "2026-03-02T06:01:00Z")
    assert changed["changes"] == [
        {"member": "title", "before": "a", "after": "b"},
        {"member": "additionalEmployees", "before": [], "after": [BO]},
        {"member": "externalAttendees", "before": None, "after": [{"name": "Al", "email": "al@example.com"}]},
    ]
    assert (cancelled["action"], cancelled["happenedAt"]) == ("Cancelled", "2026-03-02T06:02:00Z")
    assert created["userId"] == cancelled["userId"] != changed["userId"]


async def test_the_history_says_where_a_meeting_moved(api: Api) -> None:
    meeting = await book(api)
    moved = {"startDate": "2026-03-05T09:00:00Z", "endDate": "2026-03-05T10:00:00Z"}
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in moved.items()]
    await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)
    _, changed = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert {one["member"]: (one["before"], one["after"]) for one in changed["changes"]} == {
        name: (meeting[name], value) for name, value in moved.items()
    }


async def test_what_was_refused_is_no_history(api: Api) -> None:
    meeting = await book(api)
    await book(api, day=1)
    operations = [
        {"op": "replace", "path": "/startDate", "value": "2026-03-04T09:00:00Z"},
        {"op": "replace", "path": "/endDate", "value": "2026-03-04T10:00:00Z"},
    ]
    answer = await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)
    assert answer.status_code == 409
    assert len((await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()) == 1


async def test_a_history_is_v3s_and_its_tenants_alone(api: Api) -> None:
    meeting = await book(api)
    assert (await api.get(f"v2/booking/meetings/{meeting['id']}/history")).status_code == 404
    assert (await (await api.other()).get(f"v3/booking/meetings/{meeting['id']}/history")).status_code == 404
    assert (await api.get(f"v3/booking/meetings/{uuid4()}/history")).json()["code"] == "meeting_not_found"
