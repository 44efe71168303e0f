"""Webhooks over HTTP: who is sent what, how often it is tried, and what is told of it (docs/events.md#webhooks)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from meetdeck.app import Services
from meetdeck.booking.scheduling.erasure.service import erase_meetings
from meetdeck.booking.scheduling.meetings.schemas import Command
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.events.feed.service import EventRetention
from meetdeck.events.webhooks.service import sending
from meetdeck.events.webhooks.service.schedule import PAUSES
from meetdeck.platform.db import Connection, Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import HandClock
from support.receivers import Receiver, answer, open_receiver
from support.webhooks import WEBHOOKS, Webhooks

HOUR = timedelta(hours=1)
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, which may call this machine."""
    made = make_services(database, clock, tmp_path, MissingRenderer(), outgoing_allow=("127.0.0.1",))
    async with aclosing(made) as services:
        yield services


@pytest_asyncio.fixture
async def webhooks(api: Api, services: Services, clock: HandClock) -> Webhooks:
    """Lend the first firm's webhooks."""
    return Webhooks(await api.of(api.firm, elevated=True), services, clock)


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    """Lend a receiver that answers 200."""
    async with open_receiver() as receiver:
        yield receiver


async def book(api: Api, starts_at: datetime = TUESDAY_AT_TEN) -> dict[str, Any]:
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
    answered = await api.book(employeeId=api.id_of("employee", "Anna Holm"), type="Online", **times)
    assert answered.status_code == 201, answered.text
    return answered.json()


# ------------------------------------------------------------------------------------------------- the resource


async def test_a_webhook_is_made_with_a_secret_that_is_told_once(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url, types=["meeting.*"], description="CRM")
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert made == {
        "id": made["id"],
        "url": receiver.url,
        "types": ["meeting.*"],
        "description": "CRM",
        "active": True,
        "signature": "v1",
        "createdAt": "2026-03-02T06:00:00Z",
        "failingSince": None,
        "publicKey": None,
    }
    assert await webhooks.get(made) == made
    assert await webhooks.read(WEBHOOKS) == [made]


async def test_a_webhook_of_ed25519_has_a_public_key_and_no_secret(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url, signature="v1a")
    assert made["publicKey"].startswith("whpk_")
    assert "secret" not in made
    assert await webhooks.get(made) == made
    rotated = await webhooks.call(made, "secrets")
    assert "secret" not in rotated
    assert rotated["publicKey"] not in {made["publicKey"], None}


async def test_a_webhook_is_changed_by_json_patch_and_deleted(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    changed = await webhooks.patch(made, "types", ["template.uploaded"])
    assert changed["types"] == ["template.uploaded"]
    address = f"{WEBHOOKS}/{made['id']}"
    for member, value in (("id", str(uuid4())), ("signature", "v1a"), ("publicKey", "whpk_"), ("types", ["a.b"])):
        patch = [{"op": "replace", "path": f"/{member}", "value": value}]
        assert (await webhooks.api.request("PATCH", address, json=patch)).status_code == 400, member
    assert (await webhooks.api.request("DELETE", address)).status_code == 204
    assert (await webhooks.api.get(address)).json()["code"] == "webhook_not_found"


async def test_an_address_that_may_not_be_called_is_refused_with_its_place(webhooks: Webhooks) -> None:
    made = await webhooks.create("http://127.0.0.1:9/")
    for url in (
        "http://example.com/",
        "https://localhost/hooks",
        "https://10.0.0.1/hooks",
        "https://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]/",
        "https://user:secret@example.com/",
        "crm",
        "",
    ):
        patch = [{"op": "replace", "path": "/url", "value": url}]
        for refused in (
            await webhooks.api.post(WEBHOOKS, {"url": url}),
            await webhooks.api.request("PATCH", f"{WEBHOOKS}/{made['id']}", json=patch),
        ):
            assert refused.status_code == 400, url
            assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/url"]


async def test_only_the_elevated_role_sees_webhooks_and_only_its_firms(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    plain, other = await webhooks.api.of(NORDLYS), await webhooks.api.of(FJORD, elevated=True)
    one = f"{WEBHOOKS}/{made['id']}"
    for path in (WEBHOOKS, one, f"{one}/deliveries"):
        assert (await plain.get(path)).status_code == 403
    assert (await plain.post(WEBHOOKS, {"url": receiver.url})).status_code == 403
    for action in ("secrets", "test", "replay"):
        assert (await plain.post(f"{one}/{action}", {})).status_code == 403
        body = {"from": "2026-03-01T00:00:00Z"} if action == "replay" else None
        assert (await other.post(f"{one}/{action}", body)).status_code == 404
    assert (await other.get(one)).status_code == 404
    assert (await webhooks.api.get("v2/events/webhooks")).status_code == 404


async def test_a_repeat_of_the_request_gets_the_secret_again_which_lies_encrypted(
    webhooks: Webhooks, receiver: Receiver, database: Database
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first, again = [await webhooks.api.post(WEBHOOKS, {"url": receiver.url}, headers=key) for _ in range(2)]
    assert first.json() == again.json()
    secret = first.json()["secret"]
    rotated = await webhooks.call(first.json(), "secrets")
    async with database.transaction(NORDLYS.tenant_id) as connection:
        tables = ("webhook", "webhook_secret", "idempotent_answer", "audit_entry", "event")
        written = [str(await connection.fetch(f"select * from {table}")) for table in tables]  # noqa: S608 - named above
        bodies = await connection.fetch("select body from idempotent_answer")
    for one in (secret, rotated["secret"]):
        assert one not in "".join(written)
        assert all(one.encode() not in row["body"] for row in bodies)


async def test_changes_of_webhooks_are_in_the_audit_log(webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.create(receiver.url)
    await webhooks.patch(made, "description", "CRM")
    await webhooks.call(made, "secrets")
    await webhooks.call(made, "replay", {"from": "2026-03-01T00:00:00Z"})
    await webhooks.api.request("DELETE", f"{WEBHOOKS}/{made['id']}")
    log = (await webhooks.read("v3/audit-log", kind="webhooks"))["items"]
    told = [(entry["action"], [change["member"] for change in entry["changes"]]) for entry in reversed(log)]
    assert told == [
        ("created", []),
        ("changed", ["description"]),
        ("changed", ["secret"]),
        ("changed", ["replay"]),
        ("deleted", []),
    ]
    assert {entry["resourceName"] for entry in log} == {receiver.url}


# ------------------------------------------------------------------------------------------------- sending


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


# ------------------------------------------------------------------------------------------------- secrets


async def test_a_secret_of_another_key_of_the_installation_is_a_failed_try_that_says_so(
    webhooks: Webhooks, receiver: Receiver, database: Database
) -> None:
    made = await webhooks.create(receiver.url)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update webhook_secret set secret_encrypted = 'of another key'")
    await webhooks.call(made, "test")
    await webhooks.send_due()
    assert "rotate it" in (await webhooks.list_deliveries(made))[-1]["problem"]
    assert receiver.received == []
    await webhooks.call(made, "secrets")
    await webhooks.call(made, "test")
    await webhooks.send_due()
    assert len(receiver.received) == 1


async def test_two_secrets_sign_for_a_day_after_rotating(
    webhooks: Webhooks, receiver: Receiver, clock: HandClock
) -> None:
    made = await webhooks.create(receiver.url)

    async def count_signatures() -> int:
        await webhooks.call(made, "test")
        await webhooks.send_due()
        return len(receiver.received[-1].headers["webhook-signature"].split(" "))

    assert await count_signatures() == 1
    rotated = await webhooks.call(made, "secrets")
    assert rotated["secret"] not in {made["secret"], None}
    assert await count_signatures() == 2
    await webhooks.call(made, "secrets")
    assert await count_signatures() == 2  # the first is over
    await webhooks.wait_until(clock() + timedelta(hours=24))
    assert await count_signatures() == 1


# ------------------------------------------------------------------------------------------------- lists, replay


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


# ------------------------------------------------------------------------------------------------- erasing


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
