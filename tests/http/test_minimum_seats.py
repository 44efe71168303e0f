"""A time that too few customers have booked is cancelled by itself (docs/api/group-meetings.md#minimum-seats)."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from meetdeck.booking.scheduling.minimum_seats.service import QUEUE, MinimumSeats
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.messages import Post
from support.patches import pointers, replace
from support.searches import change, send_search
from support.working import find_next_due, work

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
SETTING = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
HOUR = timedelta(hours=1)
COUNTED_AT = TUESDAY_AT_TEN - 5 * HOUR
"""An hour before the notice of four hours."""
_WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
Json = dict[str, Any]


class Group:
    """A firm whose annual review takes place with three of five customers."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api, self.services, self.clock = api, services, clock

    async def book(self, *customers: str, starts_at: datetime = TUESDAY_AT_TEN) -> list[Json]:
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        found: list[Json] = []
        for one in customers:
            attendee = {"name": one, "email": f"{one.lower()}@example.com", "isCustomer": True}
            content = {"employeeId": ANNA, "type": "Online", "topicId": REVIEW, "externalAttendees": [attendee]}
            booked = await self.api.book(**content, customerId=one, **times)
            assert booked.status_code == 201, booked.text
            found.append(booked.json())
        return found

    async def work_at(self, moment: datetime) -> None:
        """Do all that is due at a moment; later requests have a token of then."""
        self.clock.advance(seconds=(moment - self.clock()).total_seconds())
        self.api = await self.api.of(self.api.firm)
        await work(self.services, self.clock)

    async def list_living(self) -> list[str]:
        return sorted(one["customerId"] for one in (await self.api.get("v3/booking/meetings")).json())


@pytest.fixture
async def group(api: Api, services: Services, clock: HandClock) -> Group:
    await change(api, SETTING, minimumBookingNotice="04:00:00")
    await change(api, f"meeting-topics/{REVIEW}", seats=5, minimumSeats=3)
    return Group(api, services, clock)


async def test_a_topic_needs_one_customer_unless_it_says_otherwise_and_never_more_than_its_seats(api: Api) -> None:
    path = f"booking/config/meeting-topics/{REVIEW}"
    assert (await api.get(f"v3/{path}")).json()["minimumSeats"] == 1
    assert "minimumSeats" not in (await api.get(f"v2/{path}")).json()
    for patch, pointer in (
        ([replace("/minimumSeats", 2)], "/minimumSeats"),
        ([replace("/seats", 5), replace("/minimumSeats", 6)], "/minimumSeats"),
        ([replace("/minimumSeats", 0)], "/operations/0/value"),
    ):
        refused = await api.request("PATCH", f"v3/{path}", json=patch)
        assert refused.status_code == 400
        assert pointer in pointers(refused)
    await change(api, f"meeting-topics/{REVIEW}", seats=5, minimumSeats=5)
    assert (await api.request("PATCH", f"v3/{path}", json=[replace("/seats", 4)])).status_code == 400


async def test_a_time_that_too_few_have_booked_is_cancelled_an_hour_before_the_notice(group: Group) -> None:
    first, _ = await group.book("Freja", "Noah")
    await group.book("Ida", "Emma", "Vera", starts_at=TUESDAY_AT_TEN + HOUR)
    await group.work_at(COUNTED_AT - timedelta(seconds=1))
    assert len(await group.list_living()) == 5
    await group.work_at(COUNTED_AT + HOUR)
    assert await group.list_living() == ["Emma", "Ida", "Vera"]
    listed = await group.api.get("v3/booking/meetings", params={"includeCancelled": "true", "customerId": "Freja"})
    assert [one["cancellationReason"] for one in listed.json()] == ["TooFewCustomers"]
    history = (await group.api.get(f"v3/booking/meetings/{first['id']}/history")).json()
    assert [(one["action"], one["command"]) for one in history] == [("Created", None), ("Cancelled", "minimumSeats")]
    in_v2 = await group.api.get("v2/booking/meetings", params={"includeCancelled": "true", "customerId": "Freja"})
    assert "cancellationReason" not in in_v2.json()[0]


async def test_a_time_that_enough_book_while_it_is_counted_takes_place(group: Group, database: Database) -> None:
    first, _ = await group.book("Freja", "Noah")
    group.clock.advance(seconds=(COUNTED_AT - group.clock()).total_seconds())
    group.api = await group.api.of(group.api.firm)
    async with database.outside_tenants() as observer, database.transaction(NORDLYS.tenant_id) as connection:
        job = UUID(first["sharedSlotId"])
        await connection.execute("select from meeting where shared_slot_id = $1 for update", job)
        counting = asyncio.create_task(MinimumSeats(database).run(NORDLYS.tenant_id, job, COUNTED_AT))
        async with asyncio.timeout(10):
            while not await observer.fetchval(_WAITING):  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.01)
        await group.book("Ida")
    assert await counting == COUNTED_AT + timedelta(seconds=1)
    assert await MinimumSeats(database).run(NORDLYS.tenant_id, job, COUNTED_AT + timedelta(seconds=1)) is None
    assert await group.list_living() == ["Freja", "Ida", "Noah"]


async def test_each_cancellation_is_one_event_with_its_reason(group: Group) -> None:
    first, _ = await group.book("Freja", "Noah")
    group.clock.advance(seconds=(COUNTED_AT - group.clock()).total_seconds())
    workers = [MinimumSeats(group.services.database) for _ in range(4)]
    job = UUID(first["sharedSlotId"])
    await asyncio.gather(*(one.run(NORDLYS.tenant_id, job, COUNTED_AT) for one in workers))
    await group.work_at(COUNTED_AT + timedelta(minutes=1))
    elevated = await group.api.of(group.api.firm, elevated=True)
    found = await elevated.get("v3/events", params={"types": "meeting.cancelled", "limit": 1000})
    told = [one["data"] for one in found.json()["items"] if one["data"]["customerId"] in {"Freja", "Noah"}]
    assert sorted((one["customerId"], one["cancellationReason"]) for one in told) == [
        ("Freja", "TooFewCustomers"),
        ("Noah", "TooFewCustomers"),
    ]


async def test_customers_and_advisor_are_told_why_in_words(group: Group, database: Database, tmp_path: Path) -> None:
    post = Post(database, tmp_path)
    await post.send(group.clock())
    await group.book("Freja", "Noah")
    await post.send(group.clock())
    before = len(await post.read())
    await group.work_at(COUNTED_AT)
    await post.send(group.clock())
    told = (await post.read())[before:]
    assert sorted(mail.to[0] for mail in told) == [
        *["anna@nordlys.example"] * 2,
        "freja@example.com",
        "noah@example.com",
    ]
    for mail in told:
        is_advisors = mail.to[0] == "anna@nordlys.example"
        reason = "Too few customers: 2 of at least 3" if is_advisors else "Too few people have booked this time"
        assert "Cancelled" in mail.subject
        assert f"Reason: {reason}" in mail.text
        assert reason in mail.html


async def test_seats_on_hold_are_waited_for(group: Group) -> None:
    await group.book("Freja", "Noah")
    await group.work_at(COUNTED_AT - timedelta(minutes=1))
    token = uuid4()
    wanted: Json = {"employeeId": ANNA, "topicId": REVIEW, "meetingType": "Online"}
    held = (await group.api.reserve(TUESDAY_AT_TEN, token=token, **wanted)).json()
    await group.work_at(COUNTED_AT)
    assert len(await group.list_living()) == 2
    booked = await group.api.book(
        timeSlotId=held["id"], customerId="Ida", employeeId=ANNA, type="Online", topicId=REVIEW
    )
    assert booked.status_code == 201
    await group.work_at(COUNTED_AT + timedelta(minutes=10))
    assert len(await group.list_living()) == 3
    assert (await group.api.request("DELETE", f"v3/booking/meetings/{booked.json()['id']}")).status_code == 204
    await group.work_at(COUNTED_AT + HOUR)
    assert await group.list_living() == ["Freja", "Noah"], "it was decided that the meeting takes place"


async def test_a_seat_on_hold_that_nobody_books_counts_for_nothing(group: Group) -> None:
    await group.book("Freja", "Noah")
    await group.work_at(COUNTED_AT - timedelta(minutes=1))
    assert (
        await group.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, topicId=REVIEW, meetingType="Online")
    ).status_code == 201
    await group.work_at(COUNTED_AT)
    assert len(await group.list_living()) == 2
    await group.work_at(COUNTED_AT + timedelta(minutes=6))
    assert await group.list_living() == []


async def test_a_time_that_staff_begin_later_takes_place_however_few_come(group: Group) -> None:
    await group.work_at(COUNTED_AT)
    await group.book("Freja")
    await group.work_at(COUNTED_AT + HOUR)
    assert await group.list_living() == ["Freja"]


async def test_a_time_begun_again_after_it_was_cancelled_takes_place(group: Group) -> None:
    await group.book("Freja")
    await group.work_at(COUNTED_AT)
    assert await group.list_living() == []
    await group.book("Noah")
    await group.work_at(COUNTED_AT + HOUR)
    assert await group.list_living() == ["Noah"]


async def test_a_changed_rule_changes_when_customers_are_counted_and_how_many_must_come(group: Group) -> None:
    await group.book("Freja", "Noah")
    await work(group.services, group.clock)
    assert await find_next_due(group.services, NORDLYS.tenant_id, QUEUE) == COUNTED_AT
    await change(group.api, SETTING, minimumBookingNotice="06:00:00")
    await work(group.services, group.clock)
    assert await find_next_due(group.services, NORDLYS.tenant_id, QUEUE) == COUNTED_AT - 2 * HOUR
    await change(group.api, f"meeting-topics/{REVIEW}", minimumSeats=2)
    await group.work_at(COUNTED_AT)
    assert await group.list_living() == ["Freja", "Noah"]


async def test_customers_book_until_they_are_counted_and_other_topics_until_the_notice(group: Group) -> None:
    async def finds_ten(topic: str) -> bool:
        query = {"topic": topic, "meetingTypes": "Online", "explicitEmployeeIds": ANNA, "meetingDuration": "60"}
        found = (await send_search(group.api, **query, isCustomerInitiated="true")).json()
        return any(one["startDate"] == "2026-03-03T09:00:00Z" for one in found)

    await group.work_at(COUNTED_AT)
    assert [await finds_ten(one) for one in (REVIEW, PENSION)] == [True, True]
    await group.work_at(COUNTED_AT + timedelta(minutes=1))
    assert [await finds_ten(one) for one in (REVIEW, PENSION)] == [False, True]


async def test_the_waiting_list_gets_the_time_of_a_cancelled_group(group: Group) -> None:
    window = {"from": TUESDAY_AT_TEN.isoformat(), "to": (TUESDAY_AT_TEN + HOUR).isoformat()}
    wish = {"topicId": PENSION, "meetingTypes": ["Online"], "employeeIds": [ANNA], "email": "karl@example.com"}
    await group.book("Freja", "Noah")
    made = (await group.api.post("v3/booking/wishes", wish | window)).json()
    await group.work_at(COUNTED_AT)
    await work(group.services, group.clock)
    await work(group.services, group.clock)
    assert (await group.api.get(f"v3/booking/wishes/{made['id']}")).json()["status"] == "Offered"
