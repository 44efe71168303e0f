"""Series of meetings with a customer: booked, moved and cancelled together, or not at all."""

from typing import Any

import httpx

from support.factories import Api
from support.meetings import ANNA, BO, book

MEETINGS = "v3/booking/meetings"
TUESDAY = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
QUARTERLY = "FREQ=MONTHLY;INTERVAL=3;COUNT=4"
SERIES: dict[str, Any] = {"employeeId": ANNA, "type": "Online", "customerId": "C-1", "recurrence": QUARTERLY} | TUESDAY


async def try_to_book(api: Api, **members: Any) -> httpx.Response:
    return await api.post(MEETINGS, SERIES | members)


async def book_series(api: Api, **members: Any) -> dict[str, Any]:
    answer = await try_to_book(api, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()


def starts(meetings: list[dict[str, Any]]) -> list[str]:
    return [meeting["startDate"] for meeting in meetings]


async def list_customers(api: Api) -> list[dict[str, Any]]:
    return (await api.get(MEETINGS, params={"customerId": "C-1"})).json()


async def list_series(api: Api, series: dict[str, Any]) -> list[dict[str, Any]]:
    return (await api.get(MEETINGS, params={"seriesId": series["seriesId"]})).json()


async def test_every_quarter_for_a_year_is_one_booking_at_the_firms_hours(api: Api) -> None:
    answer = await try_to_book(api)
    series = answer.json()
    meetings = series["meetings"]
    assert starts(meetings) == [
        "2026-03-03T09:00:00Z",
        "2026-06-03T08:00:00Z",
        "2026-09-03T08:00:00Z",
        "2026-12-03T09:00:00Z",
    ]
    assert series["seriesId"] == series["id"] == meetings[0]["id"]
    assert {(one["seriesId"], one["recurrence"]) for one in meetings} == {(series["id"], QUARTERLY)}
    assert [one["originalStartDate"] for one in meetings] == starts(meetings)
    assert await list_series(api, series) == meetings
    read = await api.http.get(answer.headers["Location"], headers=api.headers)
    assert read.json() == meetings[0]
    assert "skipped" not in series


async def test_of_a_series_all_times_are_booked_or_none(api: Api) -> None:
    taken = await book(api, startDate="2026-06-03T08:30:00Z", endDate="2026-06-03T09:30:00Z")
    refused = await try_to_book(api)
    assert (refused.status_code, refused.json()["code"]) == (409, "series_conflict")
    (fault,) = refused.json()["errors"]
    assert fault["pointer"] == "/recurrence"
    assert fault["detail"].startswith("2026-06-03 10:00: ")
    assert await list_customers(api) == []
    assert (await api.request("DELETE", f"{MEETINGS}/{taken['id']}")).status_code == 204
    assert len((await book_series(api))["meetings"]) == 4


async def test_times_that_are_not_free_are_left_out_and_named(api: Api) -> None:
    await book(api, startDate="2026-03-03T09:30:00Z", endDate="2026-03-03T10:30:00Z")
    series = await book_series(api, skipConflicts=True)
    assert starts(series["meetings"]) == ["2026-06-03T08:00:00Z", "2026-09-03T08:00:00Z", "2026-12-03T09:00:00Z"]
    (skipped,) = series["skipped"]
    assert skipped["startDate"] == "2026-03-03T09:00:00Z"
    assert skipped["conflict"]["code"] == "time_slot_taken"
    again = await try_to_book(api, skipConflicts=True)
    assert (again.status_code, again.json()["code"]) == (409, "series_conflict"), "nothing would be left"


async def test_a_preview_says_what_is_in_the_way_and_what_is_free_near_it_and_books_nothing(api: Api) -> None:
    await book(api, startDate="2026-06-03T08:00:00Z", endDate="2026-06-03T09:00:00Z")
    before = (await api.get(MEETINGS)).json()
    preview = (await api.post(f"{MEETINGS}/preview", SERIES)).json()
    assert (preview["count"], len(preview["times"])) == (3, 4)
    free, taken, *_ = preview["times"]
    assert (free["conflict"], free["instead"]) == (None, None)
    assert taken["conflict"]["code"] == "time_slot_taken"
    near = taken["instead"]
    assert near["startDate"][:10] == "2026-06-03"
    assert (await api.get(MEETINGS)).json() == before
    assert len((await book_series(api, skipConflicts=True))["meetings"]) == 3, "nothing is held by the preview"
    await book(api, startDate=near["startDate"], endDate=near["endDate"])


async def test_all_from_here_on_are_moved_by_the_firms_clock_or_none(api: Api) -> None:
    series = await book_series(
        api, recurrence="FREQ=WEEKLY;COUNT=5", startDate="2026-03-17T09:00Z", endDate="2026-03-17T10:00Z"
    )
    second = series["meetings"][1]
    patch = [
        {"op": "test", "path": "/title", "value": ""},
        {"op": "replace", "path": "/startDate", "value": "2026-03-31T08:00:00Z"},
        {"op": "replace", "path": "/endDate", "value": "2026-03-31T08:30:00Z"},
        {"op": "replace", "path": "/title", "value": "Coaching"},
    ]
    address = f"{MEETINGS}/{second['id']}?series=true"
    taken = await book(api, startDate="2026-04-21T07:45Z", endDate="2026-04-21T08:15Z")
    refused = await api.request("PATCH", address, json=patch)
    assert (refused.status_code, refused.json()["code"]) == (409, "series_conflict"), refused.text
    assert await list_series(api, series) == series["meetings"]
    assert (await api.request("DELETE", f"{MEETINGS}/{taken['id']}")).status_code == 204
    moved = await api.request("PATCH", address, json=patch)
    assert moved.status_code == 200, moved.text
    after = await list_series(api, series)
    assert starts(after) == [
        "2026-03-17T09:00:00Z",
        "2026-03-31T08:00:00Z",
        "2026-04-07T08:00:00Z",
        "2026-04-14T08:00:00Z",
        "2026-04-21T08:00:00Z",
    ]
    assert {one["endDate"][11:] for one in after[1:]} == {"08:30:00Z"}
    assert [one["title"] for one in after] == ["", *["Coaching"] * 4]
    assert [one["originalStartDate"] for one in after] == starts(series["meetings"])


async def test_a_refused_move_names_each_meeting_in_the_way_and_what_is_free_near_it(api: Api) -> None:
    series = await book_series(
        api, recurrence="FREQ=WEEKLY;COUNT=5", startDate="2026-03-17T09:00Z", endDate="2026-03-17T10:00Z"
    )
    for day in ("2026-03-31", "2026-04-14"):
        await book(api, startDate=f"{day}T09:30Z", endDate=f"{day}T10:30Z")
    patch = [
        {"op": "replace", "path": "/startDate", "value": "2026-03-24T11:00:00Z"},
        {"op": "replace", "path": "/endDate", "value": "2026-03-24T12:00:00Z"},
    ]
    refused = await api.request("PATCH", f"{MEETINGS}/{series['meetings'][1]['id']}?series=true", json=patch)
    assert (refused.status_code, refused.json()["code"]) == (409, "series_conflict"), refused.text
    details = [one["detail"] for one in refused.json()["errors"]]
    assert [one.partition(": ")[0] for one in details] == ["2026-03-31 12:00", "2026-04-14 12:00"]
    assert [one.partition("Free near it: ")[2] for one in details] == ["2026-03-31 12:30.", "2026-04-14 12:30."]
    assert await list_series(api, series) == series["meetings"]


async def test_all_from_here_on_are_cancelled_and_the_earlier_stay(api: Api) -> None:
    series = await book_series(api)
    first, second, *_ = series["meetings"]
    assert (await api.request("DELETE", f"{MEETINGS}/{second['id']}?series=true")).status_code == 204
    assert [one["id"] for one in await list_series(api, series)] == [first["id"]]
    assert (await api.request("DELETE", f"{MEETINGS}/{first['id']}")).status_code == 204
    assert len((await book_series(api))["meetings"]) == 4, "their time is free again"


async def test_a_reserved_time_is_one_of_the_series(api: Api) -> None:
    token = "0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e"
    slot = TUESDAY | {"status": "Reserved", "employeeId": ANNA}
    held = (await api.post("v3/booking/time-slots/reserve", {"timeSlot": slot, "token": token})).json()
    body = {name: value for name, value in SERIES.items() if name not in TUESDAY} | {"timeSlotId": held["id"]}
    off = await api.post(MEETINGS, body | {"recurrence": "FREQ=WEEKLY;BYDAY=WE;COUNT=2"})
    assert (off.status_code, off.json()["errors"][0]["pointer"]) == (400, "/recurrence")
    series = (await api.post(MEETINGS, body)).json()
    assert series["timeSlotId"] == held["id"]
    assert len(series["meetings"]) == 4


async def test_rules_that_cannot_be_are_refused_where_they_are_wrong(api: Api) -> None:
    for members, status, pointer in (
        ({"recurrence": "FREQ=WEEKLY"}, 400, "/recurrence"),
        ({"recurrence": "FREQ=DAILY;COUNT=101"}, 400, "/recurrence"),
        ({"startDate": "2020-03-03T09:00:00Z", "endDate": "2020-03-03T10:00:00Z"}, 400, "/startDate"),
        ({"employeeId": "00000000-0000-4000-8000-000000000000"}, 404, "/employeeId"),
    ):
        answer = await try_to_book(api, **members)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer), answer.text


async def test_v2_books_a_single_meeting(api: Api) -> None:
    answer = await api.post("v2/booking/meetings", SERIES | {"crmId": "1", "employeeId": BO})
    assert answer.status_code == 201, answer.text
    assert not {"seriesId", "recurrence", "meetings"} & set(answer.json())
    assert len(await list_customers(api)) == 1
