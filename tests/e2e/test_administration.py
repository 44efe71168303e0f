"""An operator's commands beside a running `meetdeck serve`: a tenant, its keys and clients, and their ends."""

import csv
import io
import json
import subprocess
from typing import Any
from uuid import uuid4

import httpx
import pytest

from support.installation import Installation


@pytest.fixture(scope="module")
def address(shared_installation: Installation) -> str:
    """Serve an installation without demo data."""
    return shared_installation.start("--migrate", until="serves on")


@pytest.fixture
def installation(shared_installation: Installation) -> Installation:
    return shared_installation


def run(installation: Installation, *arguments: str) -> Any:
    """Return the JSON document that a command prints."""
    ended = installation.command(*arguments, "--json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def refused(ended: "subprocess.CompletedProcess[str]") -> str:
    """Return the one line with which a command says no."""
    assert (ended.returncode, ended.stdout) == (1, ""), ended.stderr
    (line,) = ended.stderr.splitlines()
    return line


def get_headers(address: str, client: dict[str, str], key: str) -> dict[str, str]:
    """Return the headers of a client's requests."""
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token = httpx.post(f"{address}/oauth/token", data=form).raise_for_status().json()["access_token"]
    return {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": key}


def get_employees(address: str, client: dict[str, str], key: str) -> httpx.Response:
    return httpx.get(f"{address}/api/v3/booking/employees", headers=get_headers(address, client, key))


@pytest.mark.thorough
def test_a_new_tenant_calls_rotates_its_key_is_disabled_and_deleted(installation: Installation, address: str) -> None:
    tenant = run(installation, "tenant", "create", "Ny Bank")
    assert set(tenant) == {"tenantId", "name"}
    key = run(installation, "key", "create", "--tenant", tenant["tenantId"], "--name", "site")
    assert set(key) == {"keyId", "name", "subscriptionKey"}
    client = run(installation, "client", "create", "--tenant", tenant["tenantId"], "--name", "Site")
    assert set(client) == {"clientId", "clientSecret"}
    assert get_employees(address, client, key["subscriptionKey"]).status_code == 200

    new = run(installation, "key", "rotate", key["keyId"])
    assert "add --yes" in refused(installation.command("key", "revoke", new["keyId"]))
    assert run(installation, "key", "revoke", new["keyId"], "--yes")["status"] == "revoked"
    # At once, as it was never used; one that was is remembered for 45 seconds.
    assert get_employees(address, client, new["subscriptionKey"]).status_code == 401
    another = run(installation, "key", "rotate", key["keyId"])
    run(installation, "tenant", "disable", tenant["tenantId"])
    answer = get_employees(address, client, another["subscriptionKey"])
    assert (answer.status_code, answer.json()["code"]) == (403, "tenant_disabled")

    entries = run(installation, "audit-log", "--tenant", tenant["tenantId"])["items"]
    assert [(entry["action"], entry["command"]) for entry in entries] == [
        ("changed", "tenant disable"),
        ("created", "key rotate"),
        ("changed", "key revoke"),
        ("created", "key rotate"),
        ("created", "client create"),
        ("created", "key create"),
        ("created", "tenant create"),
    ]
    told = installation.command("audit-log", "--tenant", tenant["tenantId"], "--csv")
    assert len(list(csv.DictReader(io.StringIO(told.stdout)))) == len(entries)
    assert key["subscriptionKey"] not in told.stdout
    assert run(installation, "tenant", "delete", tenant["tenantId"], "--yes")["name"] == "Ny Bank"
    assert run(installation, "tenant", "list") == []


@pytest.mark.usefixtures("address")
def test_where_logs_are_json_a_start_prints_nothing_else(installation: Installation) -> None:
    events = [json.loads(line) for line in installation.printed.splitlines()]
    assert sum("serves on http://" in event["event"] for event in events) == 1


@pytest.mark.usefixtures("address")
def test_what_an_operator_can_mend_is_one_line(installation: Installation) -> None:
    ended = installation.command("tenant", "show", "00000000-0000-4000-8000-000000000000")
    assert "There is no tenant" in refused(ended)


@pytest.mark.parametrize("arguments", [("tenant", "list"), ("key", "list"), ("audit-log", "--tenant", str(uuid4()))])
@pytest.mark.usefixtures("address")
def test_a_command_waits_for_nothing_that_it_does_not_need(
    installation: Installation, arguments: tuple[str, ...]
) -> None:
    installation.settings["PYTHONPROFILEIMPORTTIME"] = "1"
    try:
        ended = installation.command(*arguments)
    finally:
        del installation.settings["PYTHONPROFILEIMPORTTIME"]
    imported = {
        line.rpartition("|")[2].strip() for line in ended.stderr.splitlines() if line.startswith("import time:")
    }
    assert "asyncpg" in imported  # as it asked the database
    assert not imported & {"litestar", "lxml", "jinja2", "meetdeck.app", "meetdeck.present.deck", "meetdeck.serving"}


def test_in_production_clients_are_made_at_the_issuer(installation: Installation) -> None:
    installation.settings["MEETDECK_ISSUER"] = "https://login.example.com"
    try:
        ended = installation.command("client", "list")
    finally:
        del installation.settings["MEETDECK_ISSUER"]
    assert "Clients are made at the token issuer, https://login.example.com" in refused(ended)


def test_without_demo_data_nothing_of_this_machine_is_called(installation: Installation, address: str) -> None:
    tenant = run(installation, "tenant", "create", "Anden Bank")["tenantId"]
    key = run(installation, "key", "create", "--tenant", tenant, "--name", "site")["subscriptionKey"]
    client = run(installation, "client", "create", "--tenant", tenant, "--name", "Site", "--role", "elevated")
    headers = get_headers(address, client, key)
    webhook = {"url": "http://127.0.0.1:9360/h"}
    refused = httpx.post(f"{address}/api/v3/events/webhooks", json=webhook, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_webhook")
    assert "In the test environment, set MEETDECK_OUTGOING_ALLOW=127.0.0.1:9360 " in refused.json()["detail"]
