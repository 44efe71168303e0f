"""The hosts that firms may name: those that the operator lists (docs/operations/outgoing-calls.md)."""

from collections.abc import Sequence

import pytest

from meetdeck.administration.tenants.schemas import TenantSettings
from meetdeck.administration.tenants.service.tenants import change_tenant
from meetdeck.platform.changes import Actor
from support.meeting_documents import RULES
from support.patches import pointers, replace
from support.receivers import Receiver
from support.webhooks import WEBHOOKS, Webhooks

OPERATOR = Actor(operator="root", command="tenant set")


@pytest.fixture
def own_settings(listed: Sequence[str] | None) -> dict[str, object]:
    """Lend the settings of an operator who lists hosts."""
    return {"outgoing_allow": ("127.0.0.1",), "outgoing_hosts": listed}


@pytest.fixture
def listed() -> Sequence[str] | None:
    return ("crm.bank.example", "*.partner.example:8443")


async def give(webhooks: Webhooks, *hosts: str) -> None:
    """Give the firm a list of its own."""
    wanted = TenantSettings(outgoing_hosts=[*hosts])
    firm = webhooks.api.firm.tenant_id
    await change_tenant(webhooks.services.database, firm, wanted, OPERATOR, webhooks.clock())


async def test_webhooks_and_rules_name_no_host_that_the_operator_does_not_list(
    webhooks: Webhooks, receiver: Receiver
) -> None:
    api = webhooks.api
    for url in ("https://crm.bank.example/a", "https://a.partner.example:8443", "https://CRM.bank.example./b"):
        assert (await api.post(WEBHOOKS, {"url": url})).status_code == 201, url
        assert (await api.post(RULES, {"template": "A", "dataUrl": url})).status_code == 201, url
    refused = ("https://mine.example", "https://partner.example:8443", "https://a.partner.example", receiver.url)
    for url in (*refused, "https://crm.bank.example.evil.example", "https://evilcrm.bank.example"):
        for path, name, code in ((WEBHOOKS, "url", "invalid_webhook"), (RULES, "dataUrl", "address_not_allowed")):
            answer = await api.post(path, {"template": "A", name: url})
            assert (answer.status_code, answer.json()["code"], pointers(answer)) == (400, code, [f"/{name}"]), url
            assert "MEETDECK_OUTGOING_HOSTS" in answer.json()["detail"]


async def test_a_firms_own_list_takes_the_place_of_the_installations_and_is_in_its_audit_log(
    webhooks: Webhooks, receiver: Receiver
) -> None:
    api = webhooks.api
    await give(webhooks, "127.0.0.1")
    assert (await api.post(WEBHOOKS, {"url": receiver.url})).status_code == 201
    assert (await api.post(WEBHOOKS, {"url": "https://crm.bank.example"})).status_code == 400
    await give(webhooks)
    refused = await api.post(RULES, {"template": "A", "dataUrl": receiver.url})
    assert (refused.status_code, pointers(refused)) == (400, ["/dataUrl"])
    other = await (await api.other()).of((await api.other()).firm, elevated=True)
    assert (await other.post(WEBHOOKS, {"url": "https://crm.bank.example"})).status_code == 201
    entries = (await api.get("v3/audit-log", params={"kind": "tenants"})).json()["items"]
    changes = [change for entry in entries for change in entry["changes"]]
    assert [(one["member"], one["after"]) for one in changes] == [
        ("outgoingHosts", []),
        ("outgoingHosts", ["127.0.0.1"]),
    ]


async def test_a_webhook_whose_host_is_taken_off_the_list_is_called_no_more_and_can_be_switched_off(
    webhooks: Webhooks, receiver: Receiver
) -> None:
    await give(webhooks, "127.0.0.1")
    webhook = (await webhooks.api.post(WEBHOOKS, {"url": receiver.url})).json()
    path = f"{WEBHOOKS}/{webhook['id']}"
    await webhooks.api.post(f"{path}/test")
    await webhooks.send_due()
    assert len(receiver.received) == 1
    await give(webhooks, "crm.bank.example")
    await webhooks.api.post(f"{path}/test")
    await webhooks.send_due()
    assert len(receiver.received) == 1
    failed = (await webhooks.api.get(f"{path}/deliveries", params={"status": "Failed"})).text
    assert "not one of the hosts that this firm may name" in failed
    assert (await webhooks.api.request("PATCH", path, json=[replace("/types", ["meeting.*"])])).status_code == 400
    switched_off = await webhooks.api.request(
        "PATCH", path, json=[{"op": "replace", "path": "/active", "value": False}]
    )
    assert (switched_off.status_code, switched_off.json()["active"]) == (200, False)


@pytest.mark.parametrize("listed", [None])
async def test_without_a_list_any_host_may_be_named(webhooks: Webhooks) -> None:
    assert (await webhooks.api.post(WEBHOOKS, {"url": "https://mine.example"})).status_code == 201
