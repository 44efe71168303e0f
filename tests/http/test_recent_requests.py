"""The API's requests of the last hour: who develops an integration sees why a request was refused."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from meetdeck.administration.recent_requests import service
from meetdeck.administration.recent_requests.service import RecentRequestRetention, RecentRequestWriting
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.statements import logged_statements

REQUESTS = "v3/administration/requests"


async def read(api: Api, **query: Any) -> dict[str, Any]:
    answer = await (await api.of(api.firm, elevated=True)).get(REQUESTS, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def write(services: Services) -> None:
    """Write the requests up to now, as the server does each second."""
    await RecentRequestWriting(services.database, services.recent).write()


def tell(request: dict[str, Any]) -> tuple[str, str, int, list[str]]:
    return request["method"], request["path"], request["status"], request["faults"]


async def test_a_refused_request_is_listed_with_its_pointers_within_two_seconds(api: Api, services: Services) -> None:
    work = asyncio.create_task(RecentRequestWriting(services.database, services.recent).run(services.clock))
    refused = await api.request(
        "POST", "v3/booking/config/rooms?secret=1", json={"name": "Udsigten", "capacity": "many"}
    )
    assert refused.status_code == 400, refused.text
    await (await api.other()).get("v3/booking/rooms")
    await asyncio.sleep(1.5)
    work.cancel()

    [request] = (await read(api))["items"]

    assert tell(request) == ("POST", "/api/v3/booking/config/rooms", 400, ["/capacity"])
    assert request["requestId"] == refused.headers["X-Request-Id"]
    assert (request["at"], request["ms"] > 0) == ("2026-03-02T06:00:00Z", True)
    [others] = (await read(await api.other()))["items"][-1:]
    assert tell(others) == ("GET", "/api/v3/booking/rooms", 200, [])
    [key] = (await (await api.of(api.firm, elevated=True)).get("v3/administration/keys")).json()
    assert request["keyId"] == key["id"] != others["keyId"]
    assert (await (await api.of(api.firm)).get(REQUESTS)).status_code == 403


async def test_requests_are_filtered_paged_and_forgotten_after_an_hour(
    api: Api, services: Services, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_ON_A_PAGE", 2)
    for number in range(3):
        await api.get(f"v3/booking/config/rooms/{UUID(int=number)}")
        clock.advance(seconds=1)
    await api.get("v3/booking/rooms")
    await write(services)

    first = await read(api)
    assert [tell(each)[1:3] for each in first["items"]] == [
        ("/api/v3/booking/rooms", 200),
        (f"/api/v3/booking/config/rooms/{UUID(int=2)}", 404),
    ]
    last = await read(api, after=first["next"])
    assert [each["path"][-1] for each in last["items"]] == ["1", "0"]
    assert last["next"] is None
    assert [each["status"] for each in (await read(api, status="200"))["items"]] == [200]
    key = first["items"][0]["keyId"]
    assert (await read(api, key=key))["items"] == first["items"]
    assert (await read(api, key=api.firm.tenant_id))["items"] == []
    wrong = await (await api.of(api.firm, elevated=True)).get(REQUESTS, params={"after": "anywhere"})
    assert [each["pointer"] for each in wrong.json()["errors"]] == ["/query/after"]

    await write(services)
    clock.advance(hours=1, seconds=1)
    assert (await read(api))["items"] == []
    assert await RecentRequestRetention(services.database).erase(clock()) > 4


async def test_a_read_takes_no_statement_for_the_log_and_a_pointer_may_have_any_character(
    api: Api, services: Services
) -> None:
    with logged_statements(services.database) as statements:
        await api.get("v3/booking/rooms")
    assert not any("recent_request" in each for each in statements)
    refused = await api.request(
        "POST", "v3/booking/config/rooms", json={"a\0b": 1}, headers={"Prefer": "handling=strict"}
    )
    assert refused.status_code == 400, refused.text
    await write(services)
    assert "/a\ufffdb" in (await read(api))["items"][0]["faults"]
