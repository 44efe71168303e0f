"""Limits of an application, scripted faults, notifications, and the control of it all."""

import asyncio
from typing import Any

import httpx
import msgspec
import pytest

from graph_fake.faults import Fault
from graph_fake.throttling import Limits
from support.graph import TENANT, Graph, make_event
from support.receivers import answer as write_answer
from support.receivers import open_receiver

_EVENTS = "/v1.0/users/anna@firm.test/events"


async def test_a_fifth_request_at_once_is_refused_for_whichever_mailbox(graph: Graph) -> None:
    graph.world.latency_seconds = 0.05
    answers = await asyncio.gather(
        *(graph.request_schedule(["anna", "bo"][each % 2] + "@firm.test") for each in range(5))
    )
    statuses = sorted(each.status_code for each in answers)
    assert statuses == [200, 200, 200, 200, 429]
    [refused] = [each for each in answers if each.status_code == 429]
    assert refused.headers["Retry-After"] == "1"
    assert "MailboxConcurrency" in refused.json()["error"]["message"]


async def test_the_kind_reading_counts_each_mailbox(graph: Graph) -> None:
    graph.world.latency_seconds, graph.world.throttle.limits = 0.05, Limits(by="mailbox", most_at_once=1)
    answers = await asyncio.gather(graph.request_schedule("anna@firm.test"), graph.request_schedule("bo@firm.test"))
    assert [each.status_code for each in answers] == [200, 200]


async def test_requests_in_a_time_are_limited(graph: Graph) -> None:
    graph.world.throttle.limits = Limits(most_requests=2)
    answers = [await graph.http.get("/v1.0/users") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert int(answers[2].headers["Retry-After"]) > 500


@pytest.mark.parametrize(
    ("fault", "status", "events"),
    [
        (Fault(kind="Refuse", status=429, retry_after=7), 429, 0),
        (Fault(kind="Lose", status=504), 504, 1),
        (Fault(kind="Late", seconds=0.01), 201, 1),
        (Fault(kind="Twice"), 201, 2),  # without a transactionId
        (Fault(kind="Refuse", method="GET"), 201, 1),
        (Fault(kind="Refuse", path="/users/bo@"), 201, 1),
        (Fault(kind="Refuse", skip=1), 201, 1),
    ],
)
async def test_a_fault_happens_as_it_is_scripted(graph: Graph, fault: Fault, status: int, events: int) -> None:
    graph.world.faults.waiting = [fault]
    answer = await graph.http.post(_EVENTS, json=make_event())
    graph.world.faults.waiting = []
    assert answer.status_code == status
    assert answer.headers.get("Retry-After") == ("7" if fault.retry_after else None)
    assert len((await graph.get("/users/anna@firm.test/events"))["value"]) == events


async def test_a_request_that_is_never_answered_was_perhaps_done(graph: Graph) -> None:
    for kind in ("Hang", "HangAfter"):
        await graph.http.post("/_control/faults", json=[{"kind": kind}])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(graph.http.post(_EVENTS, json=make_event(subject=kind)), 0.2)
    subjects = [each["subject"] for each in (await graph.get("/users/anna@firm.test/events"))["value"]]
    assert subjects == ["HangAfter"]


async def test_changes_are_told_to_an_address_that_repeated_the_token(graph: Graph) -> None:
    async with open_receiver() as receiver:
        wanted = {
            "changeType": "created,deleted",
            "resource": "users/anna@firm.test/events",
            "notificationUrl": receiver.url,
            "clientState": "ours",
            "expirationDateTime": "2026-11-25T08:00:00Z",
        }
        refused = await graph.http.post("/v1.0/subscriptions", json=wanted)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "ValidationError")
        token = receiver.received[-1].line.split("validationToken=")[1].split(" ")[0]
        receiver.answers = [write_answer(200, token.encode()), write_answer(202)]
        added = await graph.http.post("/v1.0/subscriptions", json=wanted)
        assert added.status_code == 201
        graph.world.subscriptions.delivery.copies = 2
        event = await graph.create("anna@firm.test")
        await graph.create("bo@firm.test")
        await graph.world.subscriptions.finish()
        notes: list[Any] = [msgspec.json.decode(each.body)["value"] for each in receiver.received[2:]]
        assert [note["resourceData"]["id"] for [note] in notes] == [event["id"]] * 2
        assert notes[0][0]["clientState"] == "ours"
        await graph.http.delete(f"/v1.0/subscriptions/{added.json()['id']}")
        await graph.create("anna@firm.test")
        await graph.world.subscriptions.finish()
        assert len(receiver.received) == 4


async def test_the_control_makes_a_world_and_tells_what_was_asked(graph: Graph) -> None:
    seed = {
        "id": TENANT,
        "people": [{"mail": "cy@firm.test"}],
        "events": [{"mail": "cy@firm.test", "event": make_event()}],
    }
    assert (await graph.http.post("/_control/tenants", json=seed)).status_code == 201
    assert await graph.list_times("cy@firm.test") == [("busy", "09:00")]
    told = (await graph.http.get("/_control/requests")).json()
    assert told["value"][-1]["path"] == "/v1.0/users/cy@firm.test/calendar/getSchedule"
    assert told["value"][-1]["body"]["schedules"] == ["cy@firm.test"]
    assert (told["value"][-1]["status"], told["mostAtOnce"]) == (200, 1)
    people = f"/_control/tenants/{TENANT}/people/cy@firm.test"
    [event] = (await graph.http.get(f"{people}/events")).json()
    await graph.http.patch(f"{people}/events/{event['id']}", json={"showAs": "oof"})
    assert await graph.list_times("cy@firm.test") == [("oof", "09:00")]
    await graph.http.delete(people)
    row = (await graph.request_schedule("cy@firm.test", by="anna@firm.test")).json()["value"][0]
    assert row["error"]["responseCode"] == "ErrorMailRecipientNotFound"


async def test_the_clock_is_moved(graph: Graph) -> None:
    await graph.http.post("/_control/clock", json={"stopAt": "2026-11-24T08:00:00Z", "moveSeconds": 90})
    assert (await graph.http.get("/_control/clock")).json() == {"now": "2026-11-24T08:01:30Z"}


async def test_a_call_without_a_token_is_refused(graph: Graph) -> None:
    answer = await graph.http.get("/v1.0/users", headers={"Authorization": ""})
    assert answer.status_code == httpx.codes.UNAUTHORIZED
    assert answer.json()["error"]["code"] == "InvalidAuthenticationToken"
