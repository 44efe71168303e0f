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
    elevated = await api.of(NORDLYS, elevated=True)
    made = await elevated.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    repeated = await elevated.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    rule = made.json()
    assert made.status_code == 201, made.text
    assert repeated.json() == rule
    assert rule.pop("secret").startswith("whsec_")
    assert rule == body | {"id": rule["id"]}
    assert (await api.get(f"{RULES}/{rule['id']}")).json() == rule
    assert (await api.get(RULES)).json() == [rule]
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


async def test_only_the_elevated_role_says_where_meetings_are_sent(api: Api, service: Receiver) -> None:
    elevated = await api.of(NORDLYS, elevated=True)
    body = {"template": "Greeting", "dataUrl": service.url}
    refused = await api.post(RULES, body)
    assert (refused.status_code, refused.json()["code"], pointers(refused)) == (403, "role_missing", ["/dataUrl"])
    assert "Meetdeck.Elevated" in refused.json()["detail"]
    assert (await api.get(RULES)).json() == []
    rule = (await elevated.post(RULES, body)).json()
    path = f"{RULES}/{rule['id']}"
    changes: list[list[Json]] = [
        [replace("/dataUrl", "https://mine.example/data")],
        [{"op": "remove", "path": "/dataUrl"}],
        [{"op": "add", "path": "/dataUrl", "value": None}],
        [{"op": "copy", "from": "/template", "path": "/dataUrl"}],
        [replace("/hoursBefore", 1), replace("/dataUrl", f"{service.url}?more")],
    ]
    for change in changes:
        refused = await api.request("PATCH", path, json=change)
        assert refused.status_code in {400, 403}, (change, refused.text)
        assert pointers(refused) == ["/dataUrl"], change
    assert (await api.get(path)).json() == {name: value for name, value in rule.items() if name != "secret"}
    same = [replace("/hoursBefore", 2), replace("/dataUrl", service.url)]
    assert (await api.request("PATCH", path, json=same)).json()["hoursBefore"] == 2
    taken = await elevated.request("PATCH", path, json=[{"op": "remove", "path": "/dataUrl"}])
    assert (taken.status_code, taken.json()["dataUrl"]) == (200, None)
    assert (await api.request("PATCH", path, json=changes[0])).status_code == 403


async def test_the_secret_of_a_data_service_is_given_to_the_elevated_role_alone(api: Api, service: Receiver) -> None:
    elevated = await api.of(NORDLYS, elevated=True)
    asking = (await elevated.post(RULES, {"template": "Greeting", "dataUrl": service.url})).json()["id"]
    plain = (await api.post(RULES, {"template": "Greeting"})).json()["id"]
    assert (await api.post(f"{RULES}/{asking}/secrets")).status_code == 403
    assert (await api.post(f"{RULES}/{plain}/secrets")).status_code == 201
    assert (await elevated.post(f"{RULES}/{asking}/secrets")).status_code == 201
