"""Webhooks: requests, retries, and their record (docs/webhooks.md)."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from meetdeck.booking.scheduling.erasure.service import erase_meetings
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.demo.firm import NORDLYS
from meetdeck.events.feed.service import EventRetention
from meetdeck.events.webhooks.service import sending
from meetdeck.events.webhooks.service.schedule import PAUSES
from meetdeck.platform.database import Connection, Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.receivers import Receiver, answer, open_receiver
from support.webhooks import Webhooks, book

HOUR = timedelta(hours=1)
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


async def test_an_event_is_sent_as_the_feed_shows_it(webhooks: Webhooks, receiver: Receiver, api: Api) -> None:
    await webhooks.create(receiver.url)
    meeting = await book(api)
    assert await webhooks.send_due() == 1
    (got,) = receiver.received
    shown = (await webhooks.read("v3/events", types="meeting.created"))["items"][-1]
    assert got.body in (await webhooks.api.get("v3/events")).content
    assert receiver.events() == [shown]
    assert shown["subject"] == f"meetings/{meeting['id']}"
    assert got.line == "POST /hooks HTTP/1.1"
    assert got.headers["webhook-id"] == shown["id"]
    assert got.headers["content-type"] == "application/json"
    assert all(got.headers[name] for name in HEADERS)


async def test_only_the_types_that_are_wanted_are_sent_and_nothing_from_before(
    webhooks: Webhooks, receiver: Receiver, api: Api
) -> None:
    meeting, anna = await book(api), api.id_of("employee", "Anna Holm")
    await api.reserve(TUESDAY_AT_TEN + HOUR, employeeId=anna)
    await webhooks.create(receiver.url, types=["meeting.changed", "reservation.*"])
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=anna)
    patch = [{"op": "replace", "path": "/title", "value": "Review"}]
    await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=patch)
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    await webhooks.send_due()
    assert sorted(str(event["type"]) for event in receiver.events()) == ["meeting.changed", "reservation.created"]


async def test_a_webhook_is_not_told_of_itself_and_each_gets_its_own(webhooks: Webhooks, receiver: Receiver) -> None:
    first = await webhooks.create(receiver.url)
    async with open_receiver() as other:
        second = await webhooks.create(other.url)
        await webhooks.patch(second, "description", "CRM")
        await webhooks.send_due()
        assert {event["subject"] for event in receiver.events()} == {f"configuration/webhooks/{second['id']}"}
        assert other.received == []
    assert (await webhooks.list_deliveries(first, status="Delivered"))[0]["answerStatus"] == 200


async def test_a_delivery_tells_what_was_answered(webhooks: Webhooks, receiver: Receiver, api: Api) -> None:
    made = await webhooks.create(receiver.url)
    receiver.answers = [answer(200, b"thanks\x00\xff" + b"x" * 100_000)]
    await book(api)
    await webhooks.send_due()
    (delivery,) = await webhooks.list_deliveries(made)
    assert delivery.pop("answerBody").startswith("thanks��xxx")
    event = receiver.events()[0]
    assert delivery == {
        "id": delivery["id"],
        "eventId": event["id"],
        "type": "meeting.created",
        "exampleOf": None,
        "attempt": 1,
        "at": "2026-03-02T06:00:00Z",
        "status": "Delivered",
        "answerStatus": 200,
        "problem": None,
        "nextAttemptAt": None,
    }


async def test_an_event_is_tried_ten_times_in_75_hours_with_its_id(
    webhooks: Webhooks, receiver: Receiver, api: Api, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    receiver.answers = [answer(500, b"broken")]
    await book(api)
    begun, tries = clock(), 0
    while waiting := await webhooks.send_due():
        tries += waiting
        following = await webhooks.list_deliveries(made, status="Waiting")
        if tries == 1:
            first = datetime.fromisoformat(following[0]["nextAttemptAt"])
            assert timedelta(seconds=5) <= first - clock() <= timedelta(seconds=30)
        if following:
            await webhooks.wait_until(datetime.fromisoformat(following[0]["at"]))
    assert timedelta(hours=75) < clock() - begun < timedelta(hours=84)
    assert tries == len(PAUSES) + 1 == 10
    assert len({got.headers["webhook-id"] for got in receiver.received}) == 1
    assert len({got.headers["webhook-timestamp"] for got in receiver.received}) == 10
    deliveries = await webhooks.list_deliveries(made, status="Failed")
    assert [each["attempt"] for each in reversed(deliveries)] == list(range(1, 11))
    assert [each["nextAttemptAt"] is None for each in deliveries] == [True] + [False] * 9
    assert deliveries[0]["answerBody"] == "broken"


async def test_a_receiver_that_asks_for_time_is_given_it_up_to_a_day(
    webhooks: Webhooks, receiver: Receiver, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url)
    for asked, hours in (("7200", 2.0), ("Mon, 02 Mar 2026 09:00:00 GMT", 3.0), ("999999999", 24.0)):
        receiver.answers = [answer(503, Retry_After=asked)]
        await webhooks.call(made, "test")
        await webhooks.send_due()
        newest = datetime.fromisoformat(max(each["at"] for each in await webhooks.list_deliveries(made)))
        assert newest - clock() == timedelta(hours=hours)


async def test_2xx_alone_is_delivered(webhooks: Webhooks, receiver: Receiver) -> None:
    async with open_receiver() as elsewhere:
        for status, became in ((204, "Delivered"), (301, "Failed"), (404, "Failed"), (429, "Failed"), (410, "Ended")):
            receiver.answers = [answer(status, Location=elsewhere.url)]
            made = await webhooks.create(receiver.url, types=["meeting.*"])
            await webhooks.call(made, "test")
            await webhooks.send_due()
            first = (await webhooks.list_deliveries(made))[-1]
            assert (first["status"], first["answerStatus"]) == (became, status)
        assert elsewhere.connections == 0


async def test_a_receiver_that_is_gone_ends_its_webhook_and_this_is_told(
    webhooks: Webhooks, receiver: Receiver, api: Api
) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    await book(api)
    receiver.answers = [answer(500), answer(410)]
    await webhooks.send_due()
    await book(api, TUESDAY_AT_TEN + 3 * HOUR)
    await webhooks.send_due()

    assert (await webhooks.get(made))["active"] is False
    told = {(each["status"], each["answerStatus"]) for each in await webhooks.list_deliveries(made)}
    assert told == {("Failed", 500), ("Ended", 410), ("Ended", None)}  # the last: the next try of the first
    assert await webhooks.list_deliveries(made, status="Waiting") == []
    await book(api, TUESDAY_AT_TEN + 5 * HOUR)
    assert await webhooks.send_due() == 0
    (event,) = (await webhooks.read("v3/events", types="webhook.failing"))["items"]
    assert event["subject"] == f"webhooks/{made['id']}"
    assert event["data"] == await webhooks.get(made)


async def test_a_webhook_that_fails_for_an_hour_is_told_once_and_goes_on(
    webhooks: Webhooks, receiver: Receiver, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    receiver.answers = [answer(500)]
    begun = clock()

    async def count_told() -> int:
        return len((await webhooks.read("v3/events", types="webhook.failing"))["items"])

    for minutes, told in ((0, 0), (30, 0), (60, 1), (60, 1)):
        clock.moment = begun + timedelta(minutes=minutes)
        await webhooks.call(made, "test")
        await webhooks.send_due()
        assert await count_told() == told, minutes
        shown = await webhooks.get(made)
        assert (shown["active"], shown["failingSince"]) == (True, "2026-03-02T06:00:00Z")

    receiver.answers = [answer(200)]
    await webhooks.call(made, "test")
    await webhooks.send_due()
    assert (await webhooks.get(made))["failingSince"] is None


async def test_a_slow_receiver_is_left_after_its_time(
    webhooks: Webhooks, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sending.LIMITS.seconds == 15
    monkeypatch.setattr(sending, "LIMITS", sending.LIMITS._replace(seconds=0.2))
    receiver.holds = asyncio.Event()
    made = await webhooks.create(receiver.url)
    await webhooks.call(made, "test")
    await webhooks.send_due()
    delivery = (await webhooks.list_deliveries(made))[-1]
    assert (delivery["status"], delivery["answerStatus"]) == ("Failed", None)
    assert delivery["problem"] == "no answer within 0.2 seconds"


async def test_an_address_that_became_private_is_never_called(
    webhooks: Webhooks, receiver: Receiver, database: Database
) -> None:
    made = await webhooks.create(receiver.url)
    await webhooks.call(made, "test")
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update webhook set url = $1", f"https://localhost:{receiver.port}/")
    await webhooks.send_due()
    delivery = (await webhooks.list_deliveries(made))[-1]
    assert delivery["status"] == "Failed"
    assert "may not be called" in delivery["problem"]
    assert receiver.connections == 0


async def test_what_was_erased_is_not_sent_afterwards_and_answers_about_it_go(
    webhooks: Webhooks, receiver: Receiver, api: Api, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.created"])
    receiver.answers = [answer(500, b"no such customer: Freja"), answer(200)]
    meeting = await book(api)
    await webhooks.send_due()

    async def erase(connection: Connection) -> None:
        await erase_meetings(connection, [UUID(meeting["id"])], clock(), Command.ERASE, customer_id="erased-1")

    await webhooks.services.database.run(NORDLYS.tenant_id, erase)
    assert "Freja" not in str(await webhooks.list_deliveries(made))
    clock.advance(minutes=1)
    await webhooks.send_due()
    before, after = receiver.received
    assert b"Freja" in before.body
    assert b"Freja" not in after.body
    assert before.headers["webhook-id"] == after.headers["webhook-id"]


async def test_deliveries_go_with_their_event(
    webhooks: Webhooks, receiver: Receiver, api: Api, clock: HandClock, database: Database
) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    await book(api)
    await webhooks.send_due()
    await webhooks.wait_until(clock() + timedelta(days=31))
    assert await EventRetention(database, 30).erase(clock()) > 0
    assert await webhooks.list_deliveries(made) == []
