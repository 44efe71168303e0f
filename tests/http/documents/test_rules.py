"""Document rules as resources (docs/documents.md)."""

from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.meeting_documents import REVIEW, RULES, Json
from support.patches import pointers, replace
from support.receivers import Receiver

pytestmark = pytest.mark.usefixtures("no_meetings")


async def test_a_rule_reads_back_as_it_was_written_and_tells_its_secret_once(api: Api, service: Receiver) -> None:
    body = {
        "topicId": REVIEW,
        "customerTypeId": None,
        "template": "Greeting",
        "slides": ["Slide 2"],
        "dataUrl": service.url,
        "hoursBefore": 48,
    }
    made = await api.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    repeated = await api.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    rule = made.json()
    assert made.status_code == 201, made.text
    assert repeated.json() == rule
    assert rule.pop("secret").startswith("whsec_")
    assert rule == body | {"id": rule["id"]}
    assert (await api.get(f"{RULES}/{rule['id']}")).json() == rule
    assert (await api.get(RULES)).json() == [rule]
    elevated = await api.of(NORDLYS, elevated=True)
    log = (await elevated.get("v3/audit-log", params={"kind": "document-rules"})).text
    feed = (await elevated.get("v3/events", params={"types": "configuration.changed"})).text
    assert rule["id"] in log
    assert "whsec_" not in log + feed


async def test_a_rule_that_cannot_be_is_refused_where_it_is_wrong(api: Api) -> None:
    wrong: list[tuple[Json, int, str]] = [
        ({"topicId": str(uuid4())}, 404, "/topicId"),
        ({"customerTypeId": str(uuid4())}, 404, "/customerTypeId"),
        ({"dataUrl": "http://data.example"}, 400, "/dataUrl"),
        ({"dataUrl": "https://10.0.0.1/data"}, 400, "/dataUrl"),
        ({"dataUrl": "https://localhost/data"}, 400, "/dataUrl"),
        ({"dataUrl": "nonsense"}, 400, "/dataUrl"),
        ({"template": " "}, 400, "/template"),
        ({"hoursBefore": -1}, 400, "/hoursBefore"),
    ]
    for members, status, pointer in wrong:
        refused = await api.post(RULES, {"template": "Greeting"} | members)
        assert (refused.status_code, pointers(refused)) == (status, [pointer]), members


async def test_a_rule_is_changed_deleted_and_goes_with_its_topic(api: Api) -> None:
    rule = (await api.post(RULES, {"template": "Greeting"})).json()
    assert rule["hoursBefore"] == 24
    changed = await api.request("PATCH", f"{RULES}/{rule['id']}", json=[replace("/hoursBefore", 2)])
    assert changed.json()["hoursBefore"] == 2
    refused = await api.request("PATCH", f"{RULES}/{rule['id']}", json=[replace("/dataUrl", "http://data.example")])
    assert (refused.status_code, refused.json()["code"]) == (400, "address_not_allowed")
    assert (await api.request("DELETE", f"{RULES}/{rule['id']}")).status_code == 204
    assert (await api.get(f"{RULES}/{rule['id']}")).status_code == 404
    topic = (await api.post("v3/booking/config/meeting-topics", {"name": "Boats"})).json()["id"]
    rule = (await api.post(RULES, {"template": "Greeting", "topicId": topic})).json()
    assert (await api.request("DELETE", f"v3/booking/config/meeting-topics/{topic}")).status_code == 204
    assert (await api.get(f"{RULES}/{rule['id']}")).status_code == 404
