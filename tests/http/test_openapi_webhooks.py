"""Webhooks in v3's document: each type of event, as receivers get it."""

import io
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match  # pyright: ignore[reportUnknownVariableType]
from pptx import Presentation

from meetdeck.events.examples import show_example
from meetdeck.events.webhooks.schemas import TEST_TYPE
from meetdeck.platform.changes import EventType
from meetdeck.platform.values import Version, write_json
from meetdeck.sent_events import EXAMPLES
from meetdeck.services import Services
from support.documents import DOCUMENTS, follow
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, book
from support.receivers import open_receiver
from support.webhooks import Webhooks


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend a setting with which events may be sent to this machine."""
    return {"outgoing_allow": ("127.0.0.1",)}


def list_faults(event: Any) -> list[str]:
    """Return where an event is not as the document describes its type."""
    document = DOCUMENTS[Version.V3]
    described = document["webhooks"][event["type"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
    validator: Any = Draft202012Validator(described | {"components": document["components"]})
    judge: Any = best_match  # pyright: ignore[reportUnknownVariableType] - of several alternatives it tells of the one that is nearest
    best = [judge([fault]) for fault in validator.iter_errors(event)]
    return [f"{fault.json_path}: {fault.message}" for fault in best]


def test_each_type_of_event_is_a_webhook_of_v3_and_of_v3_alone() -> None:
    assert set(DOCUMENTS[Version.V3]["webhooks"]) == {*EventType, TEST_TYPE}
    assert "webhooks" not in DOCUMENTS[Version.V2]
    for name, item in DOCUMENTS[Version.V3]["webhooks"].items():
        told = follow(item["post"], DOCUMENTS[Version.V3])
        assert {one["name"] for one in told["parameters"]} == {"webhook-id", "webhook-timestamp", "webhook-signature"}
        assert set(told["responses"]) == {"2XX", "410"}
        assert told["description"], name


def accept(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def make_something_of_everything(api: Api) -> None:
    """Book, move, cancel, hold, upload, and change the configuration."""
    booked = await book(api, externalAttendees=[{"name": "Freja", "email": "freja@example.com"}])
    for member, value in (("title", "Pension"), ("employeeId", BO)):
        patch = [{"op": "add", "path": f"/{member}", "value": value}]
        accept(await api.request("PATCH", f"v3/booking/meetings/{booked['id']}", json=patch))
    accept(await api.request("DELETE", f"v3/booking/meetings/{booked['id']}"))
    held = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": "2026-03-03T13:00:00Z", "status": "Reserved"}
    accept(
        await api.post(
            "v3/booking/time-slots/reserve", {"timeSlot": held | {"employeeId": ANNA}, "token": str(uuid4())}
        )
    )
    out = io.BytesIO()
    Presentation().save(out)
    files = {"file": ("review.pptx", out.getvalue())}
    accept(await api.request("POST", "v3/present/templates", files=files, data={"name": "Review"}))
    accept(await api.request("PATCH", "v3/present/templates/Review/labels", json={"labels": ["Pension"]}))
    accept(await api.request("DELETE", "v3/present/templates/Review"))
    accept(await api.request("POST", "v3/present/contents", files=files))
    label = accept(await api.post("v3/booking/config/labels", {"labelName": "Loans"}))
    accept(await api.request("DELETE", f"v3/booking/config/labels/{label['id']}"))
    topic = accept(await api.post("v3/booking/config/meeting-topics", {"name": "Boats"}))
    accept(await api.post("v3/booking/config/document-rules", {"template": "Review", "topicId": topic["id"]}))


async def test_what_a_receiver_gets_is_as_the_document_says(api: Api, services: Services, clock: HandClock) -> None:
    elevated = await api.of(api.firm, elevated=True)
    webhooks = Webhooks(elevated, services, clock)
    async with open_receiver() as receiver:
        made = await webhooks.create(receiver.url)
        other = await webhooks.create(receiver.url, types=["webhook.failing"])
        await make_something_of_everything(elevated)
        await webhooks.call(made, "test")
        await webhooks.send_due()
        events: list[Any] = [msgspec.json.decode(one.body) for one in receiver.received]
        headers = receiver.received[0].headers
    document = DOCUMENTS[Version.V3]
    described = follow(document["webhooks"][TEST_TYPE]["post"]["parameters"], document)
    assert all(headers[one["name"]] for one in described)
    assert {event["type"] for event in events} >= {
        *("meeting.created", "meeting.changed", "meeting.moved", "meeting.cancelled", "reservation.created"),
        *("template.uploaded", "template.changed", "template.deleted", "content.created", "configuration.changed"),
        TEST_TYPE,
    }
    assert {event["subject"].split("/")[1] for event in events if event["subject"].startswith("configuration/")} >= {
        *("webhooks", "labels", "meeting-topics", "document-rules")
    }
    assert other["id"] in {event["data"].get("id") for event in events if event["data"]}
    assert {event["type"]: list_faults(event) for event in events if list_faults(event)} == {}


@pytest.mark.parametrize("event_type", list(EventType))
def test_an_example_of_each_type_is_as_the_document_says(event_type: str) -> None:
    event = show_example(event_type, EXAMPLES[event_type], uuid4(), uuid4(), TUESDAY_AT_TEN)
    assert (event.type, event.test) == (event_type, True)
    data = EXAMPLES[event_type]
    assert event.subject.rpartition("/")[2] in {data.get("id"), data.get("contentId")}
    assert list_faults(msgspec.json.decode(write_json(event))) == []


async def test_what_is_no_such_event_is_not_as_the_document_says() -> None:
    event = {"specversion": "1.0", "type": "meeting.created", "data": {"id": "x"}}
    assert any("'source' is a required property" in fault for fault in list_faults(event))
    assert any("$.data" in fault for fault in list_faults(event))
