"""Pages of meetings and time slots, and finding meetings by customer and time.

The rules: docs/api/lists.md, docs/api/meetings.md, docs/api/holds.md#time-slots.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from support.factories import BASE_URL, TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, book, without_language

pytestmark = pytest.mark.usefixtures("no_meetings")

LISTS = ("meetings?", "time-slots?startDate=2026-03-01T00:00Z&endDate=2027-01-01T00:00Z&")


async def follow(api: Api, path: str, *, most: int = 50) -> list[list[dict[str, Any]]]:
    """Return the pages, following the links as they are."""
    answer = await api.get(path)
    pages = [answer.raise_for_status().json()]
    while "Link" in answer.headers and len(pages) < most:
        assert answer.headers["Link"] == f'<{answer.links["next"]["url"]}>; rel="next"'
        answer = await api.http.get(answer.links["next"]["url"], headers=api.headers)
        pages.append(answer.raise_for_status().json())
    return pages


@pytest.mark.parametrize("version", ["v2", "v3"])
@pytest.mark.parametrize("path", LISTS)
async def test_pages_together_are_the_list(version: str, path: str, api: Api) -> None:
    for day in range(4):
        await book(api, day=day)
        await book(api, day=day, employeeId=BO)  # both begin at the same moment
    whole = await api.get(f"{version}/booking/{path}")
    assert "Link" not in whole.headers
    for size in (1, 3, 7):
        pages = await follow(api, f"{version}/booking/{path}pageSize={size}")
        assert [len(page) for page in pages] == [size] * (8 // size) + ([8 % size] if 8 % size else [])
        assert [each for page in pages for each in page] == whole.json()
    for size in (8, 1000):
        (only,) = await follow(api, f"{version}/booking/{path}pageSize={size}")
        assert only == whole.json()


@pytest.mark.parametrize("path", LISTS)
async def test_what_is_added_meanwhile_neither_hides_nor_repeats_anything(path: str, api: Api) -> None:
    days = (2, 4, 6, 8)
    before = [(await book(api, day=day))["employeeId"] for day in days]
    answer = await api.get(f"v3/booking/{path}pageSize=2")
    seen = answer.json()
    for day in (1, 3, 5, 9):
        await book(api, day=day, employeeId=BO)
        await book(api, day=day)
    while "next" in answer.links:
        answer = await api.http.get(answer.links["next"]["url"], headers=api.headers)
        seen += answer.json()
    ids = [each["id"] for each in seen]
    assert len(ids) == len(set(ids))
    starts = [each.get("startDate") or each["startTime"] for each in seen]
    assert starts == sorted(starts)
    assert len(before) + 4 == len(seen)  # all that were there, and what came behind the first page


async def test_a_link_repeats_the_query_and_stands_at_the_public_address(api: Api, clock: HandClock) -> None:
    for day in range(3):
        await book(api, day=day)
    path = f"v2/booking/time-slots?status=booked&status=Reserved&employeeId={ANNA}&pageSize=1"
    answer = await api.get(path)
    address = urlsplit(answer.links["next"]["url"])
    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{BASE_URL}/api/v2/booking/time-slots"
    query = parse_qs(address.query)
    assert (query["status"], query["employeeId"], query["pageSize"]) == (["booked", "Reserved"], [ANNA], ["1"])
    assert query["startDate"] == ["2026-03-02T06:00:00+00:00"]  # now, by which the next page goes too
    clock.advance(minutes=20)
    second, third = (await follow(api, path))[1:]
    assert second != third


async def test_pages_that_make_no_sense_are_400_with_words(api: Api) -> None:
    for path in LISTS:
        for query, pointer in (
            ("pageSize=0", "pageSize"),
            ("pageSize=1001", "pageSize"),
            ("pageSize=-1", "pageSize"),
            ("pageSize=many", "pageSize"),
            ("pageSize=10&after=anything", "after"),
            ("pageSize=10&after=AAAA", "after"),
            (f"pageSize=10&after={'f39' + 'f' * 29}", "after"),
            ("after=AAAA", "after"),
        ):
            answer = await api.get(f"v3/booking/{path}{query}")
            assert answer.status_code == 400, query
            (error,) = answer.json()["errors"]
            assert error["pointer"] == f"/query/{pointer}"
            assert len(error["detail"]) > 20


async def list_ids(api: Api, **query: str) -> list[str]:
    """List in both versions, which answer the same but for the language."""
    newer, older = [await api.get(f"{version}/booking/meetings", params=query) for version in ("v3", "v2")]
    assert newer.status_code == 200, newer.text
    assert [without_language(one) for one in newer.json()] == older.json()
    return [meeting["id"] for meeting in newer.json()]


async def test_a_customers_meetings_are_found(api: Api) -> None:
    hers = [(await book(api, day=day, customerId="C-1 æ&b"))["id"] for day in range(2)]
    await book(api, day=3, customerId="C-1")
    await book(api, day=4, customerId="c-1 æ&b")
    assert await list_ids(api, customerId="C-1 æ&b") == hers
    assert await list_ids(api, customerId="nobody") == []
    assert await list_ids(api, customerId="C-1 æ&b", employeeId=BO) == []


async def test_meetings_that_touch_a_time_are_found(api: Api) -> None:
    """Meetings are filtered like time slots: those that end after startDate and begin before endDate."""
    first, second = (await book(api))["id"], (await book(api, day=1))["id"]
    for query, expected in (
        ({"startDate": "2026-03-03T09:59:59Z"}, [first, second]),
        ({"startDate": "2026-03-03T10:00:00Z"}, [second]),
        ({"endDate": "2026-03-04T09:00:00Z"}, [first]),
        ({"endDate": "2026-03-04T09:00:01Z"}, [first, second]),
        ({"startDate": "2026-03-03T09:30:00Z", "endDate": "2026-03-03T09:31:00Z"}, [first]),
        ({"startDate": "2026-03-04T10:30", "endDate": "2026-03-04T11:00"}, [second]),  # the organization's time
        ({"startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-04T09:00:00Z"}, []),
    ):
        assert await list_ids(api, **query) == expected, query
    answer = await api.get("v3/booking/meetings?startDate=2026-03-03T10:00Z&endDate=2026-03-03T10:00Z")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_time")


async def test_a_meeting_that_lasts_a_month_is_found_at_its_end(api: Api) -> None:
    end = TUESDAY_AT_TEN + timedelta(days=30, hours=23)
    meeting = await book(api, endDate=end.isoformat())
    assert await list_ids(api, startDate=(end - timedelta(seconds=1)).isoformat()) == [meeting["id"]]


async def test_a_place_in_a_list_is_no_way_into_another_tenants(api: Api) -> None:
    for day in range(2):
        await book(api, day=day)
    link = (await api.get("v3/booking/meetings?pageSize=1")).links["next"]["url"]
    other = await api.other()
    answer = await api.http.get(link, headers=other.headers)
    assert not {UUID(each["id"]) for each in answer.json()} & {
        UUID(each["id"]) for each in (await api.get("v3/booking/meetings")).json()
    }
