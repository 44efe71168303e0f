"""Lists of deliveries, and past events that are sent again (docs/webhooks.md)."""

from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.receivers import Receiver, answer
from support.webhooks import WEBHOOKS, Webhooks, book

HOUR = timedelta(hours=1)
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


async def test_deliveries_are_listed_by_status_and_page(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    for _ in range(3):
        await webhooks.call(made, "test")
    assert len(await webhooks.list_deliveries(made, status="waiting,Failed")) == 3
    await webhooks.send_due()
    assert await webhooks.list_deliveries(made, status="Waiting") == []
    seen: list[str] = []
    address = f"http://meetdeck.test/api/{WEBHOOKS}/{made['id']}/deliveries?pageSize=2"
    while address:
        page = await webhooks.api.get(address.removeprefix("http://meetdeck.test/api/"))
        seen += [each["id"] for each in page.json()]
        address = page.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert len(seen) == len(set(seen)) == 3
    wrong = await webhooks.api.get(f"{WEBHOOKS}/{made['id']}/deliveries?status=Lost")
    assert wrong.status_code == 400


async def test_past_events_are_sent_again_by_their_time_or_one_by_its_id(
    webhooks: Webhooks, receiver: Receiver, api: Api, clock: HandClock
) -> None:
    clock.advance(minutes=10)  # after the demo's own
    meeting = await book(api)
    clock.advance(minutes=10)
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    assert await webhooks.send_due() == 0

    past = {"from": "2026-03-02T06:10:00Z", "to": "2026-03-02T06:20:00Z"}
    assert await webhooks.call(made, "replay", past | {"types": ["meeting.cancelled"]}) == {"events": 0}
    assert await webhooks.call(made, "replay", past | {"types": ["meeting.created"]}) == {"events": 1}
    await webhooks.send_due()
    created = receiver.events()[-1]
    assert (created["type"], created["subject"]) == ("meeting.created", f"meetings/{meeting['id']}")

    assert await webhooks.call(made, "replay", {"eventId": created["id"]}) == {"events": 1}
    await webhooks.send_due()
    assert receiver.events()[-1] == created
    since = {"from": "2026-03-02T06:20:00Z"}
    assert (await webhooks.call(made, "replay", since))["events"] == 0  # of this very moment there may be more
    clock.advance(seconds=1)
    assert (await webhooks.call(made, "replay", since))["events"] == 1


async def test_a_replay_of_nothing_clear_is_refused(webhooks: Webhooks) -> None:
    made, moment = await webhooks.create("http://127.0.0.1:9/"), "2026-03-02T06:00:00Z"
    bodies: list[tuple[dict[str, Any], str]] = [
        ({}, "/from"),
        ({"to": moment}, "/from"),
        ({"from": moment, "to": moment}, "/to"),
        ({"from": moment, "eventId": str(uuid4())}, "/eventId"),
        ({"from": moment, "types": ["meeting.exploded"]}, "/types"),
        ({"from": "yesterday"}, "/from"),
    ]
    for body, pointer in bodies:
        refused = await webhooks.api.post(f"{WEBHOOKS}/{made['id']}/replay", body)
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, pointer), body


async def test_a_replay_of_an_unknown_event_or_to_an_inactive_webhook_is_refused(webhooks: Webhooks) -> None:
    made = await webhooks.create("http://127.0.0.1:9/", active=False)
    address, since = f"{WEBHOOKS}/{made['id']}/replay", {"from": "2026-03-02T00:00:00Z"}
    assert (await webhooks.api.post(address, since)).json()["code"] == "webhook_inactive"
    await webhooks.patch(made, "active", value=True)
    assert (await webhooks.api.post(address, {"eventId": str(uuid4())})).json()["code"] == "event_not_found"


async def test_an_inactive_webhook_is_sent_nothing_but_tests(webhooks: Webhooks, receiver: Receiver, api: Api) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"])
    await book(api)
    await webhooks.services.routing.route(webhooks.services.clock())
    await webhooks.patch(made, "active", value=False)
    await book(api, TUESDAY_AT_TEN + 3 * HOUR)
    assert await webhooks.send_due() == 0
    (ended,) = await webhooks.list_deliveries(made, status="Ended")
    assert ended["problem"] == "The webhook was made inactive."
    sent = await webhooks.call(made, "test")
    await webhooks.send_due()
    (event,) = receiver.events()
    assert (event["id"], event["type"], event["subject"]) == (sent["eventId"], "webhook.test", f"webhooks/{made['id']}")
    assert event["test"] is True


async def test_an_example_of_any_type_is_sent_as_that_type_and_marked_as_a_test(
    webhooks: Webhooks, receiver: Receiver
) -> None:
    receiver.answers = [answer(500), answer(200)]
    made = await webhooks.create(receiver.url, types=["template.*"])
    sent = await webhooks.call(made, "test", {"type": "meeting.moved"})
    await webhooks.send_due()
    webhooks.clock.advance(seconds=6)
    await webhooks.send_due()
    first, second = cast("list[Any]", receiver.events())
    assert first | {"time": None} == second | {"time": None}
    assert (first["id"], first["type"], first["test"]) == (sent["eventId"], "meeting.moved", True)
    assert first["subject"] == f"meetings/{first['data']['id']}"
    assert first["source"] == f"/tenants/{webhooks.api.firm.tenant_id}"
    assert (first["data"]["title"], first["sequence"]) == ("Annual review with Freja Søndergaard", 0)
    rows = await webhooks.list_deliveries(made)
    assert [(one["type"], one["exampleOf"], one["status"]) for one in rows] == [
        ("webhook.test", "meeting.moved", "Delivered"),
        ("webhook.test", "meeting.moved", "Failed"),
    ]
    feed = await webhooks.read("v3/events", types="meeting.moved")
    assert feed["items"] == []
    for wrong, told in (("meeting.move", "Did you mean meeting.moved?"), ("meeting.*", "no event type meeting.*")):
        refused = await webhooks.api.post(f"{WEBHOOKS}/{made['id']}/test", {"type": wrong})
        (fault,) = refused.json()["errors"]
        assert (refused.status_code, fault["pointer"]) == (400, "/type")
        assert told in fault["detail"]
