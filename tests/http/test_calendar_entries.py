"""Time slots that are not meetings: made, changed, listed, deleted (docs/api/calendar-entries.md)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, HAVBLIK, TIMES, replace

SLOTS = "v3/booking/time-slots"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVERY_ENTRY = "Busy,ExtraOpen,WorkingFromElsewhere"


async def add(api: Api, **members: Any) -> dict[str, Any]:
    """Add busy time of Anna's on Tuesday at ten, unless the members say otherwise."""
    answer = await try_to_add(api, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def try_to_add(api: Api, **members: Any) -> httpx.Response:
    entry = {"status": "Busy", "employeeId": ANNA} | TIMES | members
    return await api.post(SLOTS, {name: value for name, value in entry.items() if value is not None})


async def list_ids(api: Api, **query: str) -> list[str]:
    """List entries in both versions, which answer the same: of Tuesday at ten, unless the query says otherwise."""
    asked = {"status": EVERY_ENTRY} | TIMES | query
    newer, older = [await api.get(f"{version}/booking/time-slots", params=asked) for version in ("v3", "v2")]
    assert newer.status_code == 200, newer.text
    assert newer.content == older.content
    return [slot["id"] for slot in newer.json()]


def refusal(answer: httpx.Response) -> tuple[int, str, list[str]]:
    problem = answer.json()
    return answer.status_code, problem["code"], [error["pointer"] for error in problem.get("errors", [])]


# --------------------------------------------------------------------------------------------------------- making them


@pytest.mark.parametrize("status", EVERY_ENTRY.split(","))
async def test_an_entry_is_answered_read_and_listed_alike(status: str, api: Api) -> None:
    answer = await try_to_add(api, status=status.lower())
    entry = answer.json()
    assert answer.status_code == 201
    assert entry == {
        "id": entry["id"],
        "employeeId": ANNA,
        "startTime": "2026-03-03T09:00:00Z",
        "endTime": "2026-03-03T10:00:00Z",
        "available": status != "Busy",
        "roomId": None,
        "status": status,
        "serviceGroup": None,
        "expiresAt": None,
        "startDate": "2026-03-03T09:00:00Z",
        "endDate": "2026-03-03T10:00:00Z",
    }
    read = await api.http.get(answer.headers["Location"], headers=api.headers)
    listed = await api.get(SLOTS, params=TIMES | {"status": status})
    assert read.json() == entry
    assert listed.json() == [entry]
    assert (await api.get(f"v2/booking/time-slots/{entry['id']}")).json() == entry


async def test_entries_may_overlap_one_another_and_stand_over_a_meeting(api: Api) -> None:
    meeting = await api.book(employeeId=ANNA, type="Online", **TIMES)
    ids = [(await add(api, status=status))["id"] for status in ("Busy", "Busy", "ExtraOpen", "WorkingFromElsewhere")]
    assert sorted(await list_ids(api)) == sorted(ids)
    assert (await api.get(f"v3/booking/meetings/{meeting.json()['id']}")).json() == meeting.json()


async def test_times_without_an_offset_are_the_organizations(api: Api) -> None:
    entry = await add(api, startDate="2026-03-03T10:00", endDate="2026-03-03T11:00:00")
    assert (entry["startDate"], entry["endDate"]) == ("2026-03-03T09:00:00Z", "2026-03-03T10:00:00Z")


async def test_what_is_over_and_a_leave_of_a_year_are_entries_too(api: Api) -> None:
    await add(api, startDate="2026-01-05T08:00:00Z", endDate="2026-01-05T16:00:00Z")
    await add(api, startDate="2026-03-03T00:00:00Z", endDate="2027-03-04T00:00:00Z")


async def test_a_repeat_with_its_key_adds_nothing(api: Api) -> None:
    key = {"Idempotency-Key": "leave-1"}
    body = {"status": "Busy", "employeeId": ANNA} | TIMES
    first, second = [await api.post(SLOTS, body, headers=key) for _ in range(2)]
    assert first.json() == second.json()
    assert await list_ids(api) == [first.json()["id"]]


WRONG: list[tuple[dict[str, Any], tuple[int, str, list[str]]]] = [
    ({"endDate": TIMES["startDate"]}, (400, "invalid_time", ["/endDate"])),
    ({"endDate": "2126-03-03T10:00:00Z"}, (400, "invalid_time", ["/endDate"])),
    ({"endDate": "2027-03-04T09:00:01Z"}, (400, "invalid_time", ["/endDate"])),
    ({"startDate": "2126-03-03T09:00Z", "endDate": "2126-03-03T10:00Z"}, (400, "invalid_time", ["/startDate"])),
    ({"startDate": "1926-03-03T09:00Z", "endDate": "1926-03-03T10:00Z"}, (400, "invalid_time", ["/startDate"])),
    ({"startDate": "0001-01-01T00:00"}, (400, "invalid_request", ["/startDate"])),
    ({"startDate": None}, (400, "invalid_request", ["/startDate"])),
    ({"status": None}, (400, "invalid_request", ["/status"])),
    ({"status": "Away"}, (400, "invalid_request", ["/status"])),
    ({"status": "Reserved"}, (400, "invalid_request", ["/status"])),
    ({"status": "Booked"}, (400, "invalid_request", ["/status"])),
    ({"employeeId": None}, (400, "invalid_request", ["/employeeId"])),
    ({"roomId": HAVBLIK}, (400, "invalid_request", ["/roomId"])),
    ({"employeeId": None, "roomId": HAVBLIK, "status": "ExtraOpen"}, (400, "invalid_request", ["/status"])),
    ({"employeeId": str(uuid4())}, (404, "reference_not_found", ["/employeeId"])),
    ({"employeeId": None, "roomId": str(uuid4())}, (404, "reference_not_found", ["/roomId"])),
    ({"employeeId": HAVBLIK}, (404, "reference_not_found", ["/employeeId"])),
]


async def test_what_cannot_be_an_entry_is_refused_with_its_pointer(api: Api) -> None:
    for members, expected in WRONG:
        answer = await try_to_add(api, **members)
        assert refusal(answer) == expected, (members, answer.text)
    assert await list_ids(api) == []


async def test_v2_lists_and_reads_entries_and_changes_none(api: Api) -> None:
    entry = await add(api)
    address = f"v2/booking/time-slots/{entry['id']}"
    body = {"status": "Busy", "employeeId": ANNA} | TIMES
    answers = [
        await api.post("v2/booking/time-slots", body),
        await api.request("PATCH", address, json=replace(endDate="2026-03-03T12:00:00Z")),
        await api.request("DELETE", address),
    ]
    assert [answer.status_code for answer in answers] == [405, 405, 405]
    assert await list_ids(api) == [entry["id"]]


# -------------------------------------------------------------------------------------------------------- listing them


async def test_entries_are_listed_only_when_their_status_is_asked_for(api: Api) -> None:
    busy, extra = await add(api), await add(api, status="ExtraOpen")
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=BO)).json()
    assert await list_ids(api, status="") == [held["id"]]
    assert await list_ids(api, status="Busy") == [busy["id"]]
    assert sorted(await list_ids(api, status="reserved,extraopen")) == sorted([held["id"], extra["id"]])


async def test_entries_are_listed_by_employee_room_and_time(api: Api) -> None:
    annas, bos = await add(api), await add(api, employeeId=BO)
    rooms = await add(api, employeeId=None, roomId=HAVBLIK)
    later = await add(api, startDate="2026-03-03T10:00:00Z", endDate="2026-03-03T11:00:00Z")
    leave = await add(api, startDate="2025-06-01T00:00:00Z", endDate="2026-06-01T00:00:00Z")
    assert await list_ids(api, employeeId=BO) == [bos["id"]]
    assert await list_ids(api, roomId=HAVBLIK) == [rooms["id"]]
    assert await list_ids(api, employeeId=ANNA) == [leave["id"], annas["id"]]
    assert await list_ids(api, employeeId=ANNA, endDate="2026-03-03T10:30Z") == [leave["id"], annas["id"], later["id"]]
    before_and_after = {"startDate": "2026-06-01T00:00:00Z", "endDate": "2026-06-02T00:00:00Z"}
    assert await list_ids(api, **before_and_after) == []


async def test_pages_of_entries_and_slots_together_leave_none_out(api: Api) -> None:
    ids: list[str] = []
    for number in range(4):
        begin = TUESDAY_AT_TEN + number * HOUR
        times = {"startDate": begin.isoformat(), "endDate": (begin + (3 * DAY if number % 2 else HOUR)).isoformat()}
        ids.append((await add(api, **times))["id"])
        ids.append((await api.reserve(begin + HOUR / 2, employeeId=BO, minutes=30)).json()["id"])
    asked = {"startDate": "2026-03-03T00:00Z", "endDate": "2026-03-04T00:00Z", "status": "Busy,Reserved"}
    found: list[str] = []
    answer = await api.get(SLOTS, params=asked | {"pageSize": "3"})
    while True:
        found += [slot["id"] for slot in answer.json()]
        if "next" not in answer.links:
            break
        answer = await api.http.get(answer.links["next"]["url"], headers=api.headers)
    assert found == ids


# ------------------------------------------------------------------------------------------------ changing and deleting


async def test_a_patch_changes_time_and_status(api: Api) -> None:
    entry = await add(api)
    patch = replace(startDate="2026-03-04T10:00", endDate="2026-03-04T12:00:00Z", status="WorkingFromElsewhere")
    changed = await api.request("PATCH", f"{SLOTS}/{entry['id']}", json=patch)
    times = dict.fromkeys(("startTime", "startDate"), "2026-03-04T09:00:00Z")
    times |= dict.fromkeys(("endTime", "endDate"), "2026-03-04T12:00:00Z")
    assert (changed.status_code, changed.json()) == (
        200,
        entry | times | {"status": "WorkingFromElsewhere", "available": True},
    )
    assert (await api.get(f"{SLOTS}/{entry['id']}")).json() == changed.json()
    assert await list_ids(api) == []


WRONG_PATCHES: list[tuple[dict[str, Any], tuple[int, str]]] = [
    ({"employeeId": BO}, (400, "invalid_patch")),
    ({"id": str(uuid4())}, (400, "invalid_patch")),
    ({"endDate": "2026-03-03T08:00:00Z"}, (400, "invalid_time")),
    ({"endDate": "2126-03-03T08:00:00Z"}, (400, "invalid_time")),
    ({"endDate": "soon"}, (400, "invalid_request")),
    ({"status": "Booked"}, (400, "invalid_request")),
]


async def test_what_cannot_be_patched_is_refused_and_changes_nothing(api: Api) -> None:
    entry, room = await add(api), await add(api, employeeId=None, roomId=HAVBLIK)
    for members, expected in WRONG_PATCHES:
        answer = await api.request("PATCH", f"{SLOTS}/{entry['id']}", json=replace(**members))
        assert refusal(answer)[:2] == expected, answer.text
    answer = await api.request("PATCH", f"{SLOTS}/{room['id']}", json=replace(status="ExtraOpen"))
    assert refusal(answer) == (400, "invalid_request", ["/status"])
    assert (await api.get(f"{SLOTS}/{entry['id']}")).json() == entry


async def test_a_stale_patch_or_deletion_is_refused(api: Api) -> None:
    entry = await add(api)
    address = f"{SLOTS}/{entry['id']}"
    seen = {"If-Match": (await api.get(address)).headers["ETag"]}
    patch = replace(endDate="2026-03-03T11:00:00Z")
    assert (await api.request("PATCH", address, json=patch, headers=seen)).status_code == 200
    assert (await api.request("PATCH", address, json=patch, headers=seen)).status_code == 412
    assert (await api.request("DELETE", address, headers=seen)).status_code == 412
    assert (await api.request("DELETE", address)).status_code == 204
    assert (await api.get(address)).status_code == 404
    assert (await api.request("DELETE", address)).status_code == 404


async def test_a_reserved_or_booked_slot_is_no_entry(api: Api) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()["id"]
    booked = (await api.book(employeeId=BO, type="Online", **TIMES)).json()["timeSlotId"]
    for slot_id in (held, booked):
        address = f"{SLOTS}/{slot_id}"
        for answer in (
            await api.request("PATCH", address, json=replace(endDate="2026-03-03T11:00:00Z")),
            await api.request("DELETE", address),
        ):
            assert refusal(answer)[:2] == (409, "time_slot_held")
        assert (await api.get(address)).status_code == 200


async def test_another_tenants_entry_does_not_exist(api: Api) -> None:
    entry = await add(api)
    other = await api.other()
    assert (await other.get(f"{SLOTS}/{entry['id']}")).status_code == 404
    assert (await other.request("DELETE", f"{SLOTS}/{entry['id']}")).status_code == 404
    assert await list_ids(other) == []


async def test_whose_it_is_takes_it_along_when_deleted(api: Api, database: Database) -> None:
    person = (await api.post("v3/booking/config/employees", {"name": "Mette", "email": "m@example.com"})).json()["id"]
    room = (await api.post("v3/booking/config/rooms", {"name": "Skoven", "capacity": 6, "location": "Aarhus"})).json()[
        "id"
    ]
    await add(api, employeeId=person)
    await add(api, employeeId=None, roomId=room)
    for address in (f"employees/{person}", f"rooms/{room}"):
        assert (await api.request("DELETE", f"v3/booking/config/{address}")).status_code == 204
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from calendar_entry") == 0
