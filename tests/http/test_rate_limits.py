"""Limits of requests a minute, as callers meet them (docs/api/limits.md). How they count: test_rate_limits.py of
the platform.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock

Limited = Callable[..., AbstractAsyncContextManager[Api]]


@pytest.fixture
def limited(database: Database, clock: HandClock, tmp_path: Path) -> Limited:
    """Lend a function that opens the API with such limits."""

    @asynccontextmanager
    async def open_api(**limits: int) -> AsyncGenerator[Api]:
        async with (
            aclosing(make_services(database, clock, tmp_path, MissingRenderer(), **limits)) as services,
            Api.open(services) as api,
        ):
            yield api

    return open_api


def read(answer: httpx.Response) -> tuple[int, str, str]:
    """Return status, policy and what is left, without the seconds, which pass."""
    left = answer.headers.get("ratelimit", "").partition(";t=")[0]
    return answer.status_code, answer.headers.get("ratelimit-policy", ""), left


async def test_every_answer_to_a_key_says_what_is_left_and_the_last_is_refused(limited: Limited) -> None:
    async with limited(rate_limit=5) as api:
        anna = f"v3/booking/employees/{api.id_of('employee', 'Anna Holm')}"
        answers = {
            "one": await api.get(anna),
            "stream": await api.get("v3/booking/meetings"),
            "head": await api.request("HEAD", anna),
            "not there": await api.get("v3/booking/employees/00000000-0000-4000-8000-000000000000"),
            "malformed": await api.post("v3/booking/meetings", {}),
            "too many": await api.get(anna),
        }
    policy = '"key";q=5;w=60'
    assert {name: read(answer) for name, answer in answers.items()} == {
        "one": (200, policy, '"key";r=4'),
        "stream": (200, policy, '"key";r=3'),
        "head": (200, policy, '"key";r=2'),
        "not there": (404, policy, '"key";r=1'),
        "malformed": (400, policy, '"key";r=0'),
        "too many": (429, policy, '"key";r=0'),
    }


async def test_a_refusal_says_which_limit_it_is_and_when_to_come_again(limited: Limited) -> None:
    async with limited(rate_limit=1) as api:
        await api.get("v3/booking/rooms")
        refused = await api.post("v2/booking/meetings", {})
    assert refused.headers["content-type"] == "application/problem+json"
    wait = int(refused.headers["retry-after"])
    assert 50 < wait <= 61
    assert refused.headers["ratelimit"] == f'"key";r=0;t={wait}'
    problem = refused.json()
    assert (problem["code"], problem["status"]) == ("rate_limited", 429)
    assert problem["detail"] == (
        "This subscription key is at its limit of requests a minute (1). "
        f"Wait {wait} s (`Retry-After`) and try again; `RateLimit` says how many are left."
    )


async def test_a_key_has_its_limit_alone_and_a_tenant_may_have_its_own(limited: Limited, database: Database) -> None:
    async with database.transaction(FJORD.tenant_id) as connection:
        await connection.execute("update tenant set rate_limit = 0")
    async with limited(rate_limit=2) as api:
        fjord = await api.of(FJORD)
        assert [(await api.get("v3/booking/rooms")).status_code for _ in range(4)] == [200, 200, 429, 429]
        free = [await fjord.get("v3/booking/rooms") for _ in range(4)]
        assert [read(answer) for answer in free] == [(200, "", "")] * 4


async def test_a_tenants_own_limit_goes_before_the_installations(limited: Limited, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update tenant set rate_limit = 3")
    async with limited() as api:
        answers = [await api.get("v3/booking/rooms") for _ in range(4)]
    assert [read(answer)[0] for answer in answers] == [200, 200, 200, 429]
    assert read(answers[0]) == (200, '"key";q=3;w=60', '"key";r=2')


async def test_guessing_is_refused_by_address_and_good_credentials_still_pass(limited: Limited) -> None:
    async with limited(address_rate_limit=3) as api:
        path = "/api/v3/booking/rooms"
        guesses: list[dict[str, str]] = [
            {},
            api.headers | {"Ocp-Apim-Subscription-Key": "guessed"},
            api.headers | {"Ocp-Apim-Subscription-Key": (await api.other()).headers["Ocp-Apim-Subscription-Key"]},
            {"Authorization": "Bearer guessed", "Ocp-Apim-Subscription-Key": "guessed"},
        ]
        answers = [await api.http.get(path, headers=guess) for guess in guesses]
        assert [read(answer) for answer in answers] == [
            (401, '"address";q=3;w=60', '"address";r=2'),
            (401, '"address";q=3;w=60', '"address";r=1'),
            (403, '"address";q=3;w=60', '"address";r=0'),
            (429, '"address";q=3;w=60', '"address";r=0'),
        ]
        assert "127.0.0.1" in answers[-1].json()["detail"]
        assert (await api.get("v3/booking/rooms")).status_code == 200
        assert (await api.http.options(path)).status_code == 204


async def test_health_metrics_and_files_do_not_count_and_pages_and_links_do(limited: Limited) -> None:
    uncounted = ["/health/live", "/health/ready", "/metrics", "/static/icon.svg"]
    counted = [
        "/",
        "/docs",
        "/api/v3/openapi.json",
        "/api/v3/postman.json",
        "/api/v3/present/contents/00000000-0000-4000-8000-000000000000/download",
        "/p/nobodys",
    ]
    async with limited(address_rate_limit=len(counted)) as api:
        left = [read(await api.http.get(path))[2] for path in [*uncounted, *counted]]
        assert left == [""] * len(uncounted) + [f'"address";r={number}' for number in range(len(counted) - 1, -1, -1)]
        assert [(await api.http.get(path)).status_code for path in uncounted] == [200] * 4
        assert [(await api.http.get(path)).status_code for path in counted] == [429] * len(counted)


async def test_neighbours_in_one_network_of_ipv6_are_one_caller(limited: Limited) -> None:
    async with limited(address_rate_limit=1) as api:

        async def get_from(host: str) -> int:
            transport: Any = vars(api.http)["_transport"]
            transport.client = (host, 1)
            return (await api.http.get("/docs")).status_code

        assert await get_from("2001:db8:1:2::1") == 200
        assert await get_from("2001:db8:1:2:ffff::9") == 429
        assert await get_from("2001:db8:1:3::1") == 200
        assert await get_from("192.0.2.1") == 200
        assert await get_from("::ffff:192.0.2.1") == 429


async def test_without_a_limit_nothing_is_counted_and_nothing_said(limited: Limited, database: Database) -> None:
    async with limited(rate_limit=0, address_rate_limit=0) as api:
        assert read(await api.get("v3/booking/rooms")) == (200, "", "")
        assert read(await api.http.get("/docs")) == (200, "", "")
        async with database.outside_tenants() as connection:
            assert await connection.fetchval("select count(*) from rate_count") == 0
