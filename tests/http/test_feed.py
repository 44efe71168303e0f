"""The feed: what happened, in one order, with nothing missed and nothing twice (docs/events.md)."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from meetdeck.booking.scheduling.erasure.service import erase_meetings
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.time_slots.service.reservation_events import write_expired
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.demo.seed import TEMPLATE_NAME
from meetdeck.events.feed.service import EventRetention
from meetdeck.events.routing.service import Routing
from meetdeck.platform.database import Connection, Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

FEED = "v3/events"
HOUR = timedelta(hours=1)
ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
MEETING = TIMES | {"employeeId": ANNA, "customerId": "Freja", "type": "Online"}


async def read(api: Api, **query: Any) -> dict[str, Any]:
    elevated = await api.of(api.firm, elevated=True)
    answer = await elevated.get(FEED, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_types(api: Api, after: str) -> list[str]:
    return [item["type"] for item in (await read(api, after=after))["items"]]


async def end_of(api: Api) -> str:
    page = await read(api, after="latest")
    assert page["items"] == []
    return page["next"]


def accept(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def patch(**members: object) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]


async def test_a_meeting_tells_what_happens_to_it_as_v3_reads_it_with_a_rising_sequence(api: Api) -> None:
    start = await end_of(api)
    meeting = accept(await api.post("v3/booking/meetings", MEETING | {"customFields": [{"key": "a", "value": "ö"}]}))
    as_booked = accept(await api.get(f"v3/booking/meetings/{meeting['id']}"))
    accept(await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=patch(title="Pension")))
    later = (TUESDAY_AT_TEN + HOUR).isoformat(), (TUESDAY_AT_TEN + 2 * HOUR).isoformat()
    accept(
        await api.request(
            "PATCH", f"v3/booking/meetings/{meeting['id']}", json=patch(startDate=later[0], endDate=later[1])
        )
    )
    as_moved = accept(await api.get(f"v3/booking/meetings/{meeting['id']}"))
    accept(await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}"))

    told = (await read(api, after=start))["items"]

    assert [item["type"] for item in told] == [
        "meeting.created",
        "meeting.changed",
        "meeting.moved",
        "meeting.cancelled",
    ]
    assert {item["subject"] for item in told} == {f"meetings/{meeting['id']}"}
    assert [item["sequence"] for item in told] == [0, 1, 2, 3]
    assert told[0]["data"] == as_booked
    assert told[2]["data"] == as_moved
    assert told[3]["data"]["cancelledAt"]
    assert {item["source"] for item in told} == {f"/tenants/{NORDLYS.tenant_id}"}
    assert {item["specversion"] for item in told} == {"1.0"}
    assert len({item["id"] for item in told}) == 4


async def test_a_reservation_tells_of_renewing_replacing_and_expiring(
    api: Api, database: Database, clock: HandClock
) -> None:
    start, token = await end_of(api), str(uuid4())
    slot = TIMES | {"status": "Reserved", "employeeId": ANNA}
    body = {"timeSlot": slot, "token": token}
    first = accept(await api.post("v3/booking/time-slots/reserve", body))
    accept(await api.post("v3/booking/time-slots/reserve", body))
    later = {"startDate": (TUESDAY_AT_TEN + HOUR).isoformat(), "endDate": (TUESDAY_AT_TEN + 2 * HOUR).isoformat()}
    second = accept(await api.post("v3/booking/time-slots/reserve", body | {"timeSlot": slot | later}))
    clock.advance(minutes=6)
    routing = Routing(database, subscribers=(), sources=(write_expired,))
    await routing.route(clock())
    await routing.route(clock())

    told = (await read(api, after=start))["items"]

    assert [(item["type"], item["subject"], item["sequence"]) for item in told] == [
        ("reservation.created", f"reservations/{first['id']}", 0),
        ("reservation.renewed", f"reservations/{first['id']}", 1),
        ("reservation.replaced", f"reservations/{first['id']}", 2),
        ("reservation.created", f"reservations/{second['id']}", 0),
        ("reservation.expired", f"reservations/{second['id']}", 1),
    ]
    as_read = accept(await api.get(f"v3/booking/time-slots/{second['id']}"))
    assert told[-1]["data"] == as_read
    assert token not in str(told)


async def test_configuration_tells_its_kind_and_id(api: Api) -> None:
    start, elevated = await end_of(api), await api.of(api.firm, elevated=True)
    group = accept(await elevated.post("v3/booking/config/competence-groups", {"name": "Savers"}))
    accept(
        await elevated.request("PATCH", f"v3/booking/config/competence-groups/employee/{ANNA}/add", json=[group["id"]])
    )
    as_read = accept(await api.get(f"v3/booking/config/competence-groups/{group['id']}"))
    accept(await elevated.request("DELETE", f"v3/booking/config/competence-groups/{group['id']}"))

    told = [item for item in (await read(api, after=start))["items"] if group["id"] in item["subject"]]

    assert {item["type"] for item in told} == {"configuration.changed"}
    assert {item["subject"] for item in told} == {f"configuration/competence-groups/{group['id']}"}
    assert told[1]["data"] == as_read
    sequences = [item["sequence"] for item in told]
    assert sequences == sorted(set(sequences))


async def test_templates_and_contents_tell_of_themselves(api: Api) -> None:
    stored = accept(await api.post("v3/present/slides/generate", {"template": TEMPLATE_NAME, "data": {}}))
    start = await end_of(api)
    body = {"name": "Yearly", "contentId": stored["contentId"]}
    template = accept(await api.post("v2/present/templates", body))
    content = accept(await api.request("POST", "v3/present/contents", files={"file": ("a.txt", b"a")}))
    accept(await api.request("DELETE", "v3/present/templates/Yearly"))

    told = (await read(api, after=start))["items"]

    assert template["name"] == "Yearly"
    assert [item["type"] for item in told] == ["template.uploaded", "content.created", "template.deleted"]
    assert "dataSchema" in told[0]["data"]  # as v3 reads it, also when v2 uploaded it
    assert told[1]["data"] == content
    assert told[1]["subject"] == f"contents/{content['contentId']}"
    assert told[2]["data"]["name"] == "Yearly"
    assert "file" not in str(told[2]["data"]).lower()


async def test_reading_on_never_misses_and_never_repeats(api: Api) -> None:
    start = await end_of(api)
    for hour in range(5):
        begin = TUESDAY_AT_TEN + hour * HOUR
        times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
        accept(await api.post("v3/booking/meetings", MEETING | times))

    seen: list[str] = []
    cursor = start
    while page := await read(api, after=cursor, limit=2):
        if not page["items"]:
            break
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]

    assert len(seen) == len(set(seen)) == 5
    assert (await read(api, after=cursor))["next"] == cursor


async def test_what_commits_late_comes_last_and_is_not_skipped(api: Api, database: Database) -> None:
    start = await end_of(api)
    late = database.transaction(NORDLYS.tenant_id)
    connection = await late.__aenter__()
    await connection.execute(
        "insert into event (tenant_id, type, happened_at, subject, sequence)"
        " values (current_tenant(), 'meeting.created', now(), 'meetings/late', 0)"
    )
    accept(await api.post("v3/booking/meetings", MEETING))
    before = await read(api, after=start)
    await late.__aexit__(None, None, None)
    after = await read(api, after=before["next"])

    assert [item["type"] for item in before["items"]] == ["meeting.created"]
    assert [item["subject"] for item in after["items"]] == ["meetings/late"]


async def test_types_narrow_the_feed_and_the_cursor_passes_what_they_leave_out(api: Api) -> None:
    start = await end_of(api)
    accept(await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, employeeId=ANNA))
    accept(await api.post("v3/booking/meetings", MEETING))

    only = await read(api, after=start, types="meeting.*,template.uploaded")

    assert [item["type"] for item in only["items"]] == ["meeting.created"]
    assert (await read(api, after=only["next"]))["items"] == []


async def test_a_reader_waits_until_something_happens(api: Api) -> None:
    start = await end_of(api)
    waiting = asyncio.create_task(read(api, after=start, wait=20))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    accept(await api.post("v3/booking/meetings", MEETING))

    page = await asyncio.wait_for(waiting, 5)

    assert [item["type"] for item in page["items"]] == ["meeting.created"]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({"after": "made-up"}, "/query/after"),
        ({"limit": 0}, "/query/limit"),
        ({"limit": 1_001}, "/query/limit"),
        ({"wait": 31}, "/query/wait"),
        ({"types": "meeting.exploded"}, "/query/types"),
    ],
)
async def test_a_wrong_query_is_refused_with_its_place(api: Api, query: Mapping[str, Any], pointer: str) -> None:
    answer = await (await api.of(api.firm, elevated=True)).get(FEED, params=query)

    assert answer.status_code == 400
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]


async def test_another_firms_cursor_and_a_caller_without_the_role_are_refused(api: Api) -> None:
    other = await (await api.of(FJORD, elevated=True)).get(FEED, params={"after": await end_of(api)})

    assert other.status_code == 400
    assert (await api.get(FEED)).status_code == 403
    assert (await api.get("v2/events")).status_code == 404


async def test_a_reader_that_was_away_too_long_is_told_that_it_missed_some(
    api: Api, database: Database, clock: HandClock
) -> None:
    start = await end_of(api)
    accept(await api.post("v3/booking/meetings", MEETING))
    await read(api, after=start)
    clock.advance(days=31)
    retention = EventRetention(database, 30)
    assert await retention.erase(clock()) > 0

    gone = await (await api.of(api.firm, elevated=True)).get(FEED, params={"after": start})

    assert gone.status_code == 410
    assert gone.json()["code"] == "events_gone"
    assert (await read(api))["items"] == []


async def test_erasing_a_customer_erases_what_events_say(api: Api, database: Database, clock: HandClock) -> None:
    start = await end_of(api)
    meeting = accept(await api.post("v3/booking/meetings", MEETING | {"title": "About Freja"}))
    await read(api, after=start)

    async def erase(connection: Connection) -> None:
        await erase_meetings(connection, [UUID(meeting["id"])], clock(), Command.ERASE, customer_id="erased-1")

    await database.run(NORDLYS.tenant_id, erase)

    told = (await read(api, after=start))["items"]
    assert [(item["type"], item["sequence"]) for item in told] == [("meeting.created", 0), ("meeting.erased", 1)]
    assert "Freja" not in str(told)
