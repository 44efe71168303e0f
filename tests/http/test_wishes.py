"""The waiting list: a time that becomes free is offered to who waits longest (docs/api/waiting-list.md)."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from meetdeck.booking.scheduling.freed_times import QUEUE
from meetdeck.booking.scheduling.wishes.service.offering import WishOffering
from meetdeck.booking.scheduling.wishes.service.wishes import erase_wishes
from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.patches import pointers, replace
from support.working import find_next_due, work

pytestmark = pytest.mark.usefixtures("no_meetings")

WISHES = "v3/booking/wishes"
MEETINGS = "v3/booking/meetings"
HOUR = timedelta(hours=1)
ANNA, BO, _, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:4])
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
WINDOW = {"from": (TUESDAY_AT_TEN - HOUR).isoformat(), "to": (TUESDAY_AT_TEN + timedelta(days=3)).isoformat()}
WEDNESDAY = {"from": "2026-03-04T09:00:00Z", "to": "2026-03-04T11:00:00Z"}
Json = dict[str, Any]


def accept(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


class Waiting:
    """A firm whose events are routed and whose jobs are run when the test says so."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock

    async def work(self) -> None:
        """Do all that is due."""
        await work(self.services, self.clock)

    async def next_due(self) -> datetime | None:
        return await find_next_due(self.services, NORDLYS.tenant_id, QUEUE)

    async def wish(self, name: str = "Freja", **members: Any) -> str:
        wish = {"topicId": REVIEW, "meetingTypes": ["Online"], "employeeIds": [ANNA], "name": name}
        made = await self.api.post(WISHES, wish | WINDOW | {"email": f"{name.lower()}@example.com"} | members)
        self.clock.advance(seconds=1)
        return accept(made)["id"]

    async def book(self, starts_at: datetime = TUESDAY_AT_TEN, **members: Any) -> str:
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        return accept(await self.api.book(**(times | {"employeeId": ANNA, "type": "Online"} | members)))["id"]

    async def cancel(self, meeting_id: str) -> None:
        accept(await self.api.request("DELETE", f"{MEETINGS}/{meeting_id}"))

    async def read(self, wish_id: str) -> Json:
        return accept(await self.api.get(f"{WISHES}/{wish_id}"))

    async def statuses(self, *wish_ids: str) -> list[str]:
        return [(await self.read(wish_id))["status"] for wish_id in wish_ids]

    async def events(self) -> list[Json]:
        elevated = await self.api.of(self.api.firm, elevated=True)
        await self.services.routing.route(self.clock())
        return accept(await elevated.get("v3/events", params={"types": "wish.*", "limit": 1000}))["items"]


@pytest_asyncio.fixture
async def waiting(api: Api, services: Services, clock: HandClock) -> Waiting:
    await work(services, clock)
    return Waiting(api, services, clock)


async def test_a_wish_reads_back_as_it_was_written(api: Api) -> None:
    body = {
        "topicId": REVIEW,
        "customerTypeId": None,
        "meetingTypes": ["Online", "Telephone"],
        "employeeIds": [ANNA],
        "location": "Aarhus",
        "from": "2026-03-03T08:00:00Z",
        "to": "2026-03-20T16:00:00Z",
        "customerId": "C-1001",
        "portalId": None,
        "name": "Freja",
        "email": "freja@example.com",
        "phone": "+45 70 10 20 30",
        "language": "da-DK",
    }
    wish = accept(await api.post(WISHES, body))
    assert wish == body | {
        "id": wish["id"],
        "status": "Waiting",
        "offer": None,
        "dateCreated": "2026-03-02T06:00:00Z",
    }
    assert accept(await api.get(f"{WISHES}/{wish['id']}")) == wish
    assert accept(await api.get(WISHES)) == [wish]
    assert accept(await api.get(WISHES, params={"customerId": "C-1002"})) == []
    assert accept(await (await api.other()).get(WISHES)) == []


async def test_a_wish_is_changed_and_deleted(api: Api) -> None:
    wish = accept(await api.post(WISHES, {"customerId": "C-1001", "to": WINDOW["to"]}))
    changed = accept(await api.request("PATCH", f"{WISHES}/{wish['id']}", json=[replace("/phone", "70 10 20 30")]))
    assert changed == wish | {"phone": "70 10 20 30"}
    accept(await api.request("DELETE", f"{WISHES}/{wish['id']}"))
    assert (await api.get(f"{WISHES}/{wish['id']}")).status_code == 404


async def test_a_wish_that_cannot_be_is_refused_where_it_is_wrong(api: Api) -> None:
    wrong: list[tuple[Json, int, str]] = [
        ({"topicId": str(uuid4())}, 404, "/topicId"),
        ({"customerTypeId": str(uuid4())}, 404, "/customerTypeId"),
        ({"portalId": str(uuid4())}, 404, "/portalId"),
        ({"employeeIds": [ANNA, str(uuid4())]}, 404, "/employeeIds/1"),
        ({"to": "2026-03-01T08:00:00Z"}, 400, "/to"),
        ({"from": "2026-02-01T08:00:00Z", "to": "2026-03-01T08:00:00Z"}, 400, "/to"),
        ({"to": "2028-03-01T08:00:00Z"}, 400, "/to"),
        ({"customerId": None}, 400, ""),
        ({"email": "nobody"}, 400, "/email"),
        ({"meetingTypes": ["Pigeon"]}, 400, "/meetingTypes/0"),
    ]
    for members, status, pointer in wrong:
        refused = await api.post(WISHES, {"customerId": "C-1001", "to": WINDOW["to"]} | members)
        assert (refused.status_code, pointers(refused)) == (status, [pointer]), members


async def test_a_cancelled_meetings_time_is_held_for_who_waits_longest_and_booked_by_it(waiting: Waiting) -> None:
    meeting_id = await waiting.book()
    first, second = await waiting.wish("Freja"), await waiting.wish("Bo")
    await waiting.work()
    assert await waiting.statuses(first, second) == ["Waiting", "Waiting"]
    await waiting.cancel(meeting_id)
    await waiting.work()

    wish = await waiting.read(first)
    offer = wish["offer"]
    assert await waiting.statuses(first, second) == ["Offered", "Waiting"]
    assert (offer["startDate"], offer["endDate"]) == ("2026-03-03T09:00:00Z", "2026-03-03T10:00:00Z")
    assert (offer["employeeId"], offer["meetingType"]) == (ANNA, "Online")
    assert datetime.fromisoformat(offer["expiresAt"]) == waiting.clock() + timedelta(minutes=15)
    (event,) = await waiting.events()
    assert (event["type"], event["subject"], event["data"]) == ("wish.offered", f"wishes/{first}", wish)
    assert (await waiting.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 409

    waiting.clock.advance(minutes=14)
    accept(await waiting.api.book(timeSlotId=offer["timeSlotId"], employeeId=ANNA, type="Online"))
    assert (await waiting.read(first))["status"] == "Booked"
    waiting.clock.advance(minutes=2)
    await waiting.work()
    assert await waiting.statuses(first, second) == ["Booked", "Waiting"]
    assert await waiting.next_due() is None


async def test_an_offer_that_nobody_takes_goes_to_the_next_and_ends_with_the_last(waiting: Waiting) -> None:
    meeting_id = await waiting.book()
    wishes = [await waiting.wish(name) for name in ("Freja", "Bo", "Carl")]
    await waiting.cancel(meeting_id)
    await waiting.work()
    seen = [await waiting.statuses(*wishes)]
    for _ in range(4):
        waiting.clock.advance(minutes=15)
        await waiting.work()
        seen.append(await waiting.statuses(*wishes))
    assert seen == [
        ["Offered", "Waiting", "Waiting"],
        ["Waiting", "Offered", "Waiting"],
        ["Waiting", "Waiting", "Offered"],
        ["Waiting", "Waiting", "Waiting"],
        ["Waiting", "Waiting", "Waiting"],
    ]
    assert len(await waiting.events()) == 3
    assert await waiting.next_due() is None


async def test_the_time_that_a_meeting_moves_away_from_is_offered(waiting: Waiting) -> None:
    meeting_id = await waiting.book()
    wish_id = await waiting.wish()
    later = TUESDAY_AT_TEN + timedelta(hours=3)
    times = [replace("/startDate", later.isoformat()), replace("/endDate", (later + HOUR).isoformat())]
    accept(await waiting.api.request("PATCH", f"{MEETINGS}/{meeting_id}", json=times))
    await waiting.work()
    assert (await waiting.read(wish_id))["offer"]["startDate"] == "2026-03-03T09:00:00Z"
    second = await waiting.wish("Bo")
    accept(await waiting.api.request("PATCH", f"{MEETINGS}/{meeting_id}", json=[replace("/employeeId", BO)]))
    await waiting.work()
    offer = (await waiting.read(second))["offer"]
    assert (offer["employeeId"], offer["startDate"]) == (ANNA, "2026-03-03T12:00:00Z")


async def test_a_hold_that_runs_out_or_is_given_up_is_offered(waiting: Waiting) -> None:
    token = uuid4()
    accept(await waiting.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, token=token))
    accept(await waiting.api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=ANNA))
    first, second = await waiting.wish("Freja"), await waiting.wish("Bo")
    waiting.clock.advance(minutes=3)
    accept(await waiting.api.reserve(TUESDAY_AT_TEN + 5 * HOUR, employeeId=ANNA, token=token))
    await waiting.work()
    assert (await waiting.read(first))["offer"]["startDate"] == "2026-03-03T09:00:00Z"
    waiting.clock.advance(minutes=3)
    await waiting.work()
    assert (await waiting.read(second))["offer"]["startDate"] == "2026-03-03T11:00:00Z"


async def test_a_hold_that_is_given_back_is_offered_at_once(waiting: Waiting) -> None:
    held = accept(await waiting.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA))
    wish = await waiting.wish()
    query = {"token": held["token"]}
    accept(await waiting.api.request("DELETE", f"v3/booking/time-slots/{held['id']}", params=query))
    await waiting.work()
    assert (await waiting.read(wish))["offer"]["startDate"] == "2026-03-03T09:00:00Z"
    elevated = await waiting.api.of(waiting.api.firm, elevated=True)
    events = accept(await elevated.get("v3/events", params={"types": "reservation.*", "limit": 1000}))["items"]
    told = [(one["type"], one["data"]["available"]) for one in events if one["subject"].endswith(held["id"])]
    assert told == [("reservation.created", False), ("reservation.expired", True)]


async def test_a_time_that_does_not_suit_a_wish_is_not_offered(waiting: Waiting) -> None:
    half = HOUR / 2
    unsuited: list[Json] = [
        {"employeeIds": [BO]},
        {"from": TUESDAY_AT_TEN.isoformat(), "to": (TUESDAY_AT_TEN + half).isoformat()},
        {"from": (TUESDAY_AT_TEN + half).isoformat(), "to": (TUESDAY_AT_TEN + 1.4 * HOUR).isoformat()},
        {"meetingTypes": ["Physical"], "location": "Nowhere"},
    ]
    meeting_id = await waiting.book()
    wishes = [await waiting.wish(**members) for members in unsuited]
    other = await waiting.wish("Bo")
    await waiting.cancel(meeting_id)
    await waiting.work()
    assert await waiting.statuses(*wishes, other) == ["Waiting"] * 4 + ["Offered"]


async def test_what_is_not_busy_any_more_and_extra_hours_are_offered(waiting: Waiting) -> None:
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(days=2)).isoformat()}
    entry = {"employeeId": ANNA, "status": "Busy"} | times
    busy = accept(await waiting.api.post("v3/booking/time-slots", entry))
    narrow = {"from": times["startDate"], "to": (TUESDAY_AT_TEN + HOUR).isoformat()}
    first, second = await waiting.wish("Freja", **narrow), await waiting.wish("Bo", **WEDNESDAY)
    await waiting.work()
    assert await waiting.statuses(first, second) == ["Waiting", "Waiting"]
    shorter = [{"op": "replace", "path": "/startDate", "value": (TUESDAY_AT_TEN + HOUR).isoformat()}]
    accept(await waiting.api.request("PATCH", f"v3/booking/time-slots/{busy['id']}", json=shorter))
    await waiting.work()
    assert await waiting.statuses(first, second) == ["Offered", "Waiting"]
    accept(await waiting.api.request("DELETE", f"v3/booking/time-slots/{busy['id']}"))
    await waiting.work()
    assert await waiting.statuses(second) == ["Offered"]

    evening = {"from": "2026-03-04T18:00:00Z", "to": "2026-03-04T20:00:00Z"}
    third = await waiting.wish("Ole", **evening)
    extra = {"employeeId": ANNA, "status": "ExtraOpen", "startDate": evening["from"], "endDate": evening["to"]}
    accept(await waiting.api.post("v3/booking/time-slots", extra))
    await waiting.work()
    assert (await waiting.read(third))["offer"]["startDate"] == evening["from"]


async def test_each_time_of_a_series_that_ends_is_offered(waiting: Waiting) -> None:
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    body = {"employeeIds": [ANNA, BO], "status": "Busy", "recurrence": "FREQ=DAILY;COUNT=2"} | times
    series = accept(await waiting.api.post("v3/booking/time-slots", body))
    days = [TUESDAY_AT_TEN, TUESDAY_AT_TEN + timedelta(days=1)]
    hours = [{"from": day.isoformat(), "to": (day + HOUR).isoformat()} for day in days]
    wishes = [await waiting.wish(employeeIds=[who], **hour) for who in (ANNA, BO) for hour in hours]
    await waiting.work()
    assert await waiting.statuses(*wishes) == ["Waiting"] * 4
    accept(await waiting.api.request("DELETE", f"v3/booking/time-slots/{series['id']}?series=true"))
    await waiting.work()
    assert await waiting.statuses(*wishes) == ["Offered"] * 4


async def test_longer_hours_are_offered_once_and_never_a_time_that_was_offered_before(waiting: Waiting) -> None:
    schedules = accept(await waiting.api.get("v3/booking/config/employee-schedules"))
    schedule = next(one for one in schedules if one["employeeId"] == ANNA)
    address = f"v3/booking/config/employee-schedules/{schedule['id']}"
    closed = [one | {"isAvailable": False} for one in schedule["workdays"]]
    accept(await waiting.api.request("PATCH", address, json=[replace("/workdays", closed)]))
    await waiting.work()
    wish_id = await waiting.wish()
    for _ in range(3):
        accept(await waiting.api.request("PATCH", address, json=[replace("/workdays", schedule["workdays"])]))
        await waiting.work()
        accept(await waiting.api.request("PATCH", address, json=[replace("/workdays", closed)]))
        assert await waiting.statuses(wish_id) == ["Offered"]
        waiting.clock.advance(minutes=20)
        await waiting.work()
        assert await waiting.statuses(wish_id) == ["Waiting"]
    offers = [(one["data"]["offer"]["startDate"]) for one in await waiting.events()]
    assert len(offers) == len(set(offers)) == 3


async def test_two_freed_times_are_offered_to_two_wishes_and_none_twice(waiting: Waiting) -> None:
    meetings = [await waiting.book(TUESDAY_AT_TEN + hours * HOUR) for hours in (0, 2, 4)]
    wishes = [await waiting.wish("Freja"), await waiting.wish("Bo")]
    for meeting_id in meetings:
        await waiting.cancel(meeting_id)
    await waiting.services.routing.route(waiting.clock())
    async with waiting.services.database.transaction(NORDLYS.tenant_id) as connection:
        due = [row["freed_time_id"] for row in await connection.fetch("select freed_time_id from freed_time")]
    run = WishOffering(waiting.services.database).run
    await asyncio.gather(*(run(NORDLYS.tenant_id, job_id, waiting.clock()) for job_id in due for _ in range(3)))
    offered = [(await waiting.read(wish_id))["offer"] for wish_id in wishes]
    assert len({offer["startDate"] for offer in offered}) == 2
    assert len(await waiting.events()) == 2


async def test_a_long_freed_time_is_offered_to_several_at_once(waiting: Waiting) -> None:
    end = (TUESDAY_AT_TEN + 3 * HOUR).isoformat()
    meeting_id = await waiting.book(endDate=end)
    wishes = [await waiting.wish(name) for name in ("Freja", "Bo")]
    await waiting.cancel(meeting_id)
    await waiting.work()
    assert await waiting.statuses(*wishes) == ["Offered", "Offered"]
    assert [(await waiting.read(one))["offer"]["startDate"][11:13] for one in wishes] == ["09", "10"]


async def test_a_deleted_wish_gives_its_offer_to_the_next_at_once(waiting: Waiting) -> None:
    meeting_id = await waiting.book()
    first, second = await waiting.wish("Freja"), await waiting.wish("Bo")
    await waiting.cancel(meeting_id)
    await waiting.work()
    accept(await waiting.api.request("DELETE", f"{WISHES}/{first}"))
    await waiting.work()
    assert await waiting.statuses(second) == ["Offered"]


async def test_a_wish_whose_time_is_over_has_ended_and_is_offered_nothing(waiting: Waiting) -> None:
    wish_id = await waiting.wish(to=(TUESDAY_AT_TEN + 2 * HOUR).isoformat())
    waiting.clock.moment = TUESDAY_AT_TEN + 2 * HOUR
    waiting.api = await waiting.api.of(NORDLYS)
    assert await waiting.statuses(wish_id) == ["Ended"]
    assert [one["id"] for one in accept(await waiting.api.get(WISHES, params={"status": "Ended"}))] == [wish_id]
    assert accept(await waiting.api.get(WISHES, params={"status": "Waiting"})) == []


async def test_nothing_is_left_of_an_erased_customers_wishes(waiting: Waiting) -> None:
    meeting_id = await waiting.book()
    wish_id = await waiting.wish(customerId="C-1001")
    await waiting.cancel(meeting_id)
    await waiting.work()
    async with waiting.services.database.transaction(NORDLYS.tenant_id) as connection:
        assert await erase_wishes(connection, "C-1001", waiting.clock()) == 1
        assert await erase_wishes(connection, "C-1001", waiting.clock()) == 0
    assert (await waiting.api.get(f"{WISHES}/{wish_id}")).status_code == 404
    assert [event["data"] for event in await waiting.events()] == [None]
    assert (await waiting.api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201


async def test_a_wish_about_a_topic_with_groups_is_offered_a_time_when_a_whole_team_is_free(waiting: Waiting) -> None:
    api = waiting.api
    group = {"name": "Mortgage", "employeeIds": [DAVID]}
    mortgage = accept(await api.post("v3/booking/config/service-groups", group))["id"]
    topic = {"name": "First home", "alsoServiceGroups": [mortgage], "durationMinutes": 60}
    about = accept(await api.post("v3/booking/config/meeting-topics", topic))["id"]
    busy = await waiting.book(employeeId=DAVID)
    mine = await waiting.book()
    window = {"from": TUESDAY_AT_TEN.isoformat(), "to": (TUESDAY_AT_TEN + HOUR).isoformat()}
    wish = await waiting.wish(topicId=about, **window)
    await waiting.work()
    await waiting.cancel(mine)
    await waiting.work()
    assert await waiting.statuses(wish) == ["Waiting"]
    await waiting.cancel(busy)
    await waiting.work()
    offer = (await waiting.read(wish))["offer"]
    assert offer["employeeId"] == ANNA
    held = accept(await api.get(f"v3/booking/time-slots/{offer['timeSlotId']}"))
    assert held["additionalEmployees"] == [DAVID]
