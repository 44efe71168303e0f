"""`meetdeck webhooks list`, `test` and `replay` as an operator types them."""

import json

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.terminals import Terminal
from support.webhooks import Webhooks

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

TENANT = str(NORDLYS.tenant_id)
UNKNOWN = "00000000-0000-4000-8000-000000000000"


async def test_webhooks_are_listed_and_events_sent_again_by_command(
    api: Api, services: Services, clock: HandClock, terminal: Terminal
) -> None:
    webhooks = Webhooks(await api.of(NORDLYS, elevated=True), services, clock)
    made = await webhooks.create("https://203.0.114.5/hooks", types=["meeting.*"])
    secret = made.pop("secret")
    event = (await webhooks.read("v3/events", types="meeting.created", limit=1))["items"][0]

    status, out, err = await terminal.run("webhook", "list", "--tenant", TENANT, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == [{"tenantId": TENANT, "tenant": NORDLYS.name, "webhook": made}]
    status, out, _ = await terminal.run("webhook", "list")
    assert made["url"] in out
    assert secret not in out

    replay = ("webhook", "replay", made["id"])
    status, out, err = await terminal.run(*replay, "--event", event["id"], "--json")
    assert (status, json.loads(out), err) == (0, {"events": 1}, "")
    status, out, _ = await terminal.run(*replay, "--from", "2026-03-01T00:00:00Z", "--types", "meeting.created")
    assert status == 0
    assert out.startswith("6 events will be resent")
    assert len(await webhooks.list_deliveries(made, status="Waiting")) == 7
    log = (await webhooks.read("v3/audit-log", kind="webhooks"))["items"]
    assert [entry["command"] for entry in log] == ["webhook replay", "webhook replay", None]

    status, out, err = await terminal.run("webhooks", "test", made["id"], "--json")
    assert (status, err) == (0, "")
    (sent,) = [one for one in await webhooks.list_deliveries(made) if one["type"] == "webhook.test"]
    assert (sent["eventId"], sent["status"]) == (json.loads(out)["eventId"], "Waiting")

    status, out, err = await terminal.run("webhooks", "test", made["id"], "--type", "meeting.created", "--json")
    (sent,) = [one for one in await webhooks.list_deliveries(made) if one["exampleOf"] == "meeting.created"]
    assert (status, err, sent["eventId"]) == (0, "", json.loads(out)["eventId"])

    for words, told, expected in (
        (("webhooks", "test", made["id"], "--type", "meeting.create"), "Did you mean meeting.created?", 2),
        ((*replay,), "Choose the events", 1),
        ((*replay, "--from", "yesterday"), "'yesterday' is not an ISO 8601 date", 1),
        (("webhook", "replay", UNKNOWN, "--event", event["id"]), f"There is no webhook {UNKNOWN}", 1),
        (("webhooks", "test", UNKNOWN), f"There is no webhook {UNKNOWN}", 1),
        ((*replay, "--event", UNKNOWN), f"There is no event {UNKNOWN}", 1),
        (("webhook", "list", "--tenant", UNKNOWN), f"There is no tenant {UNKNOWN}", 1),
        (("webhooks", "replay"), "`meetdeck webhooks replay --help`", 2),
    ):
        status, out, err = await terminal.run(*words)
        assert (status, out, err.count("\n")) == (expected, "", 1), words
        assert told in err
