"""The doctor's findings about calendars: of one person, and of a whole firm."""

from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.doctor import calendars
from meetdeck.doctor.calendars import check_calendars, check_connections
from meetdeck.doctor.outcome import Status
from meetdeck.platform.database import Address
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.graph import CLIENT, CONNECTIONS, GROUP, SECRET, Graph, serve_graph, write_connection
from support.meetings import ANNA
from support.receivers import Receiver, answer
from support.working import work

GROUP_ALONE = ["GroupMember.Read.All", "User.ReadBasic.All"]
CONSENT = ["Calendars.ReadBasic", *GROUP_ALONE]


@pytest_asyncio.fixture
async def graph(clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[tuple[Graph, str]]:
    """Lend the fake and its address; the doctor reads the tests' clock."""
    monkeypatch.setattr(calendars, "clock", SimpleNamespace(now=clock))
    made = Graph()
    made.world.clock.stop_at(clock())
    async with serve_graph(made) as address:
        yield made, address


async def connect(elevated: Api, address: str, **members: Any) -> str:
    made = await elevated.post(CONNECTIONS, write_connection(address, **members))
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def test_the_states_of_a_connection_are_told_apart(
    elevated: Api, graph: tuple[Graph, str], application: Address, clock: HandClock
) -> None:
    assert (await check_connections(application)).status is Status.OK
    world, address = graph
    emails = {one["id"]: one["email"] for one in (await elevated.get("v3/booking/employees")).json() if one["email"]}
    world.plant_firm(emails.pop(ANNA), permissions=())
    world.plant(people=[{"mail": mail} for mail in emails.values()])
    connection = await connect(elevated, address)
    assert (await check_connections(application)).status is Status.OK, "it was made just now"

    async def find_told(**application_of_firm: Any) -> tuple[str, str]:
        app = {"clientId": CLIENT, "secrets": [SECRET], "permissions": [], **application_of_firm}
        world.plant(applications=[app])
        clock.advance(minutes=61)
        world.world.clock.stop_at(clock())
        caller = await elevated.of(elevated.firm, elevated=True)  # a token is good for an hour
        assert (await caller.post(f"{CONNECTIONS}/{connection}/read", {})).status_code == 200
        found = await check_connections(application)
        assert (found.status is Status.OK) == ("Every firm" in found.detail)
        return found.detail, found.advice

    told, advice = await find_told()
    assert f"Connection {connection} of tenant {elevated.firm.tenant_id} has no consent yet" in told
    assert "GroupMember.Read.All" in advice
    told, advice = await find_told(permissions=GROUP_ALONE)
    assert "is out of scope" in told
    assert "Test-ServicePrincipalAuthorization" in advice
    told, advice = await find_told(permissions=CONSENT)
    assert "is too wide" in told
    assert "Revoke the consent" in advice
    told, _ = await find_told(secrets=["another"], permissions=CONSENT)
    assert "cannot sign in" in told
    scoped = {"permissions": GROUP_ALONE, "scopedPermissions": CONSENT[:1], "scopeGroup": GROUP}
    told, _ = await find_told(**scoped)
    assert told == "Every firm's calendars are read."
    clock.advance(minutes=30)
    found = await check_connections(application)
    assert "has read nothing since 2026-" in found.detail
    assert "`worker`" in found.advice


async def test_a_consent_counts_two_minutes_later_though_the_token_is_good_for_an_hour(
    elevated: Api, graph: tuple[Graph, str], services: Services, clock: HandClock
) -> None:
    world, address = graph
    email = (await elevated.get(f"v3/booking/employees/{ANNA}")).json()["email"]
    world.plant_firm(email, permissions=())
    connection = await connect(elevated, address)
    await work(services, clock)
    world.plant_firm(email)  # what is consented to is in tokens that are issued from then on
    for _ in range(2):
        clock.advance(minutes=2)
        world.world.clock.stop_at(clock())
        await work(services, clock)
    shown = (await elevated.get(f"{CONNECTIONS}/{connection}")).json()
    assert (shown["status"], shown["matched"]) == ("Ok", 1)


async def test_a_calendar_that_fails_is_named(
    elevated: Api, server: Receiver, application: Address, services: Services, clock: HandClock
) -> None:
    body = {"employeeId": ANNA, "kind": "Ics", "address": server.url}
    server.answers = [answer(503)]
    made = (await elevated.post("v3/booking/config/calendars", body)).json()
    assert (await check_calendars(application)).status is Status.OK
    await work(services, clock)
    found = await check_calendars(application)
    assert found.status is Status.WARNING
    assert (
        f"Calendar {made['id']} of tenant {elevated.firm.tenant_id} has been failing since 2026-03-02 06:00 UTC"
        in found.detail
    )
    assert "(Status503)" in found.detail
    assert "docs/calendars.md" in found.advice
