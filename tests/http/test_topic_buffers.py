"""Preparation and follow-up time of topics: buffers wherever the search decides (docs/api/advisors.md#buffers)."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import pointers, replace
from support.searches import change, search, starts_of

pytestmark = pytest.mark.usefixtures("held_at_ten")

ANNA, EVA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Eva Sand"))
SCHEDULES = [f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}" for one in NORDLYS.advisors]
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
TOPICS = "booking/config/meeting-topics"
HOUR = timedelta(hours=1)


@pytest_asyncio.fixture
async def held_at_ten(api: Api, no_meetings: None) -> None:
    """Hold Anna from ten to eleven, when nobody has a meeting."""
    del no_meetings
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201


async def set_buffers(api: Api, before: str = "00:00:00", after: str = "00:00:00", topic: str = REVIEW) -> None:
    await change(api, f"meeting-topics/{topic}", preparationTime=before, followUpTime=after)


async def list_morning(api: Api, topic: str = REVIEW) -> list[str]:
    """Return when a search offers Anna online until noon, an hour each."""
    query = {"topic": topic, "meetingTypes": "Online", "meetingDuration": "60", "explicitEmployeeIds": ANNA}
    return [start for start in starts_of(await search(api, **query)) if start <= "12:00"]


async def book(api: Api, starts_at: datetime, **members: Any) -> httpx.Response:
    """Book an hour with Anna about the annual review, as a customer."""
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
    content = {"employeeId": ANNA, "type": "Online", "topicId": REVIEW, "bookedBy": "Customer"}
    return await api.book(**(content | times | members))


async def test_a_topics_meeting_keeps_its_distance_to_others_on_either_side(api: Api) -> None:
    assert await list_morning(api) == ["08:30", "09:00", "11:00", "11:30", "12:00"]
    await set_buffers(api, before="00:10:00")
    assert await list_morning(api) == ["08:30", "09:00", "11:30", "12:00"]
    await set_buffers(api, after="00:30:00")
    assert await list_morning(api) == ["08:30", "11:00", "11:30", "12:00"]
    assert await list_morning(api, PENSION) == ["08:30", "09:00", "11:00", "11:30", "12:00"]


@pytest.mark.parametrize(
    ("topics", "organizations", "left"),
    [
        ("00:20:00", "00:40:00", ["12:00"]),
        ("00:40:00", "00:20:00", ["12:00"]),
        ("00:20:00", "00:30:00", ["08:30", "11:30", "12:00"]),
    ],
)
async def test_with_the_organizations_buffer_the_longer_counts(
    api: Api, topics: str, organizations: str, left: list[str]
) -> None:
    await set_buffers(api, before=topics, after=topics)
    await change(api, SETTINGS, bufferBetweenMeetings=organizations)
    assert await list_morning(api) == left


async def test_an_explanation_names_the_topic_that_wants_the_buffer(api: Api) -> None:
    await set_buffers(api, before="00:15:00", after="00:45:00")
    query = {
        "employeeId": ANNA,
        "date": "2026-03-03",
        "meetingTypes": "online",
        "topic": REVIEW,
        "meetingDuration": "60",
    }
    answer = await api.get("v3/booking/time-slots/explain", params=query)
    told = {each["startDate"]: (each["rule"], each["detail"]) for each in answer.json()["starts"]}
    rule, detail = told["2026-03-03T10:00:00Z"]
    assert rule == "Busy"
    assert detail.endswith(
        "The topic “Annual review” requires 15 minutes before and 45 minutes after a meeting to be free."
    )


async def test_what_customers_book_and_move_keeps_the_distance(api: Api) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    await set_buffers(api, before="00:30:00")
    refused = await book(api, TUESDAY_AT_TEN + HOUR)
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (409, "not_offered", "Busy")
    meeting = (await book(api, TUESDAY_AT_TEN + 3 * HOUR)).json()
    address = f"v3/booking/meetings/{meeting['id']}"
    near = {"startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-03T11:00:00Z"}
    moved = await api.request("PATCH", address, json=[replace(f"/{name}", value) for name, value in near.items()])
    assert (moved.status_code, moved.json()["rule"]) == (409, "Busy")
    far = {"startDate": "2026-03-03T10:30:00Z", "endDate": "2026-03-03T11:30:00Z"}
    assert (
        await api.request("PATCH", address, json=[replace(f"/{name}", value) for name, value in far.items()])
    ).status_code == 200


async def test_buffers_take_nothing_themselves(api: Api) -> None:
    await set_buffers(api, before="01:00:00", after="01:00:00")
    meeting = await book(api, TUESDAY_AT_TEN + 3 * HOUR)
    assert meeting.status_code == 201
    assert (await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=ANNA)).status_code == 201
    assert "12:00" not in await list_morning(api, PENSION)


async def test_a_meeting_is_given_to_who_keeps_the_distance(api: Api) -> None:
    for schedule in SCHEDULES[1:]:
        await change(api, schedule, isOnlyExplicitlyAvailable=True)
    assert (await book(api, TUESDAY_AT_TEN + HOUR, employeeId=EVA)).status_code == 201
    body = {"employeeId": EVA, "from": "2026-03-03T00:00:00Z", "to": "2026-03-04T00:00:00Z", "dryRun": True}

    async def list_given() -> list[str | None]:
        return [one["employeeId"] for one in (await api.post("v3/booking/meetings/reassign", body)).json()]

    assert await list_given() == [ANNA]
    await set_buffers(api, before="00:30:00")
    assert await list_given() == [None]


async def test_the_forecast_counts_what_the_topic_leaves(api: Api) -> None:
    async def count() -> int:
        answer = await api.get("v3/booking/reports/forecast", params={"days": 2, "topicIds": REVIEW})
        (topic,) = answer.json()["topics"]
        return sum(sum(place["freeTimes"]) for place in topic["places"])

    for schedule in SCHEDULES[1:]:
        await change(api, schedule, isOnlyExplicitlyAvailable=True)
    before = await count()
    await set_buffers(api, before="02:00:00", after="02:00:00")
    assert await count() < before


async def test_buffers_are_v3s_and_at_most_a_day(api: Api) -> None:
    await set_buffers(api, before="00:15:00", after="1.00:00:00")
    newer, older = [(await api.get(f"{version}/{TOPICS}/{REVIEW}")).json() for version in ("v3", "v2")]
    assert (newer["preparationTime"], newer["followUpTime"]) == ("00:15:00", "1.00:00:00")
    assert not {"preparationTime", "followUpTime"} & set(older)
    assert (await api.request("PUT", f"v2/{TOPICS}/{REVIEW}", json=older)).status_code == 200
    assert (await api.get(f"v3/{TOPICS}/{REVIEW}")).json() == newer
    added = (await api.post(f"v2/{TOPICS}", {"name": "By v2"})).json()
    assert (await api.get(f"v3/{TOPICS}/{added['id']}")).json()["preparationTime"] == "00:00:00"
    refused = await api.post(
        f"v3/{TOPICS}", {"name": "X", "preparationTime": "1.00:00:01", "followUpTime": "2.00:00:00"}
    )
    assert (refused.status_code, pointers(refused)) == (400, ["/preparationTime", "/followUpTime"])
    assert (await api.post(f"v3/{TOPICS}", {"name": "X", "followUpTime": "soon"})).status_code == 400
