"""A served installation with a second server of firms, which stops, hangs, and comes back."""

import asyncio
import json
import time
from collections.abc import Generator
from uuid import UUID

import httpx
import pytest

from meetdeck.platform.database import Database
from meetdeck.platform.work.workers import WORK
from support.clusters import APP, OWNER, Cluster, run_primary
from support.installation import Installation, install

pytestmark = pytest.mark.thorough

DEADLINE_SECONDS = 2
BACK_SECONDS = 15


@pytest.fixture(scope="module")
def cell() -> Generator[Cluster]:
    """Lend a second server, with an empty database."""
    with run_primary() as cell:
        yield cell


@pytest.fixture(scope="module")
def served(cell: Cluster) -> Generator[Installation]:
    """Lend an installation with two servers, both brought up to date when it started."""
    with run_primary() as first, install() as installation:
        installation.settings |= {
            "MEETDECK_DATABASE_URL": first.url(APP),
            "MEETDECK_DATABASE_OWNER_URL": first.url(OWNER),
            "MEETDECK_CELLS": f"b={cell.url(APP)}",
            "MEETDECK_CELLS_OWNER": f"b={cell.url(OWNER)}",
            "MEETDECK_DATABASE_DEADLINE": f"00:00:0{DEADLINE_SECONDS}",
            "MEETDECK_WORKER_PROCESS": "true",
        }
        installation.start("--migrate", until="serves on")
        yield installation


def run(installation: Installation, *words: str) -> dict[str, str]:
    ended = installation.command(*words, "--json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


class Firm:
    """A new firm of a cell, called over HTTP."""

    def __init__(self, installation: Installation, cell: str) -> None:
        tenant = run(installation, "tenant", "create", f"Firm of {cell}", "--cell", cell)["tenantId"]
        key = run(installation, "key", "create", "--tenant", tenant, "--name", "tests")
        client = run(installation, "client", "create", "--tenant", tenant, "--name", "tests")
        form = {
            "grant_type": "client_credentials",
            "client_id": client["clientId"],
            "client_secret": client["clientSecret"],
        }
        answer = httpx.post(f"{installation.address}/oauth/token", data=form)
        self.tenant_id = UUID(tenant)
        self.installation = installation
        self.headers = {
            "Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}",
            "Ocp-Apim-Subscription-Key": key["subscriptionKey"],
        }

    def ask(self) -> httpx.Response:
        """List the firm's employees."""
        address = f"{self.installation.address}/api/v3/booking/employees"
        return httpx.get(address, headers=self.headers, timeout=30)

    def require_served_within(self, seconds: float) -> None:
        """Ask until the firm is served."""
        until = time.monotonic() + seconds
        while (answer := self.ask()).status_code != 200:
            assert time.monotonic() < until, answer.text
            time.sleep(0.2)


async def has_worker(cell: Cluster, firm: Firm) -> bool:
    """Return whether a process does the background work of a server; its first firm keeps the lease."""
    async with (
        Database(cell.address(APP), connections=1) as database,
        database.transaction(firm.tenant_id) as connection,
    ):
        return await connection.fetchval("select exists (select from lease where name = $1)", WORK)


def require_missed_by_its_firm_alone(ours: Firm, others: Firm) -> None:
    begun = time.monotonic()
    answer = ours.ask()
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert time.monotonic() - begun < DEADLINE_SECONDS + 1
    assert others.ask().status_code == 200
    ready = httpx.get(f"{ours.installation.address}/health/ready")
    assert (ready.status_code, ready.json()["away"]) == (200, "b")
    numbers = httpx.get(f"{ours.installation.address}/metrics").text
    assert 'meetdeck_cell_up{cell="b"} 0.0' in numbers
    assert 'meetdeck_cell_up{cell="main"} 1.0' in numbers


def test_a_server_of_firms_that_is_away_is_missed_by_them_alone_and_used_when_it_is_back(
    served: Installation, cell: Cluster
) -> None:
    ours, others = Firm(served, "b"), Firm(served, "main")
    assert ours.ask().status_code == others.ask().status_code == 200
    assert all(check["status"] != "fault" for check in json.loads(served.command("doctor", "--json").stdout)["checks"])
    until = time.monotonic() + BACK_SECONDS
    while not asyncio.run(has_worker(cell, ours)):
        assert time.monotonic() < until
        time.sleep(0.2)
    cell.stop("immediate")
    require_missed_by_its_firm_alone(ours, others)
    assert served.stop() == 0
    port = httpx.URL(served.address).port
    served.start("--migrate", until="serves on", port=port or 0)  # it starts without; the issuer keeps its address
    require_missed_by_its_firm_alone(ours, others)
    cells = {each["name"]: each["ok"] for each in json.loads(served.command("cell", "list", "--json").stdout)}
    assert cells == {"main": True, "b": False}
    faults = [
        one["name"]
        for one in json.loads(served.command("doctor", "--json").stdout)["checks"]
        if one["status"] == "fault"
    ]
    assert faults == ["database of cell b"]
    cell.start()
    ours.require_served_within(BACK_SECONDS)
    with cell.silent():
        require_missed_by_its_firm_alone(ours, others)
    ours.require_served_within(BACK_SECONDS)
