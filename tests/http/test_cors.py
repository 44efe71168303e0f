"""Pages of other origins that call from a browser (docs/api/authentication.md#cors)."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock

OURS = "https://app.example.com"
LOCAL = "http://localhost:3000"
Opened = Callable[..., AbstractAsyncContextManager[Api]]


@pytest.fixture
def opened(database: Database, clock: HandClock, tmp_path: Path) -> Opened:
    """Lend a function that opens the API to such origins."""

    @asynccontextmanager
    async def open_api(origins: str, **settings: int) -> AsyncGenerator[Api]:
        renderer = MissingRenderer()
        async with (
            aclosing(make_services(database, clock, tmp_path, renderer, cors_origins=origins, **settings)) as services,
            Api.open(services) as api,
        ):
            yield api

    return open_api


async def preflight(api: Api, path: str, method: str, origin: str = OURS) -> httpx.Response:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,ocp-apim-subscription-key",
    }
    return await api.http.options(f"/api/{path}", headers=asked)


def read_list(answer: httpx.Response, name: str) -> set[str]:
    return {item.strip() for item in answer.headers.get(name, "").split(",")} - {""}


async def test_a_preflight_needs_no_credentials_and_names_the_methods_of_that_address(opened: Opened) -> None:
    async with opened(f"{OURS}, {LOCAL}") as api:
        booking = await preflight(api, "v3/booking/meetings", "POST")
        single = await preflight(api, f"v3/booking/meetings/{uuid4()}", "PATCH", LOCAL)
        alias = await preflight(api, "v2/config/rooms", "GET")
    assert [answer.status_code for answer in (booking, single, alias)] == [204, 204, 204]
    assert booking.headers["access-control-allow-origin"] == OURS
    assert single.headers["access-control-allow-origin"] == LOCAL
    assert read_list(booking, "access-control-allow-methods") == {"GET", "HEAD", "OPTIONS", "POST"}
    assert read_list(single, "access-control-allow-methods") == {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH"}
    assert "GET" in read_list(alias, "access-control-allow-methods")
    assert booking.headers["vary"] == "Origin"
    assert booking.headers["access-control-max-age"] == "7200"
    assert read_list(booking, "access-control-allow-headers") >= {
        "Authorization",
        "Ocp-Apim-Subscription-Key",
        "Content-Type",
        "If-Match",
        "If-None-Match",
        "Idempotency-Key",
        "X-Request-Id",
        "Range",
        "traceparent",
    }
    assert "access-control-allow-credentials" not in booking.headers


async def test_every_answer_can_be_read_errors_too(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = {"Origin": OURS}
    async with opened(OURS, rate_limit=5) as api:
        room = "v3/booking/rooms"
        answers = {
            200: await api.get(room, headers=origin),
            401: await api.http.get("/api/v3/booking/rooms", headers=origin),
            400: await api.post("v3/booking/meetings", {}, headers=origin),
            404: await api.get(f"v3/booking/rooms/{uuid4()}", headers=origin),
            405: await api.request("DELETE", "v3/booking/rooms", headers=origin),
        }
        with monkeypatch.context() as broken:
            broken.setattr("meetdeck.booking.directory.rooms.store.queries", None)
            answers[500] = await api.get(room, headers=origin)
        answers[200] = await api.get("v3/booking/meetings", headers=origin)  # a stream
        answers[429] = await api.get(room, headers=origin)
        unknown = await api.http.get("/api/v3/nothing", headers=origin)
    for status, answer in answers.items():
        assert (status, answer.headers["access-control-allow-origin"]) == (answer.status_code, OURS)
        assert "Origin" in answer.headers["vary"]
        assert read_list(answer, "access-control-expose-headers") >= {
            "ETag",
            "Location",
            "Link",
            "X-Request-Id",
            "Retry-After",
            "RateLimit",
            "RateLimit-Policy",
            "Content-Disposition",
            "WWW-Authenticate",
            "Deck-Findings",
            "Idempotency-Replayed",
        }
    assert (unknown.status_code, unknown.headers["access-control-allow-origin"]) == (404, OURS)


@pytest.mark.parametrize("origin", ["https://evil.example.com", "http://app.example.com", f"{OURS}:444", "null", ""])
async def test_other_origins_are_let_read_nothing(opened: Opened, origin: str) -> None:
    async with opened(OURS) as api:
        answers = [
            await preflight(api, "v3/booking/meetings", "POST", origin),
            await api.get("v3/booking/rooms", headers={"Origin": origin}),
            await api.get("v3/booking/rooms"),
        ]
    for answer in answers:
        assert "Origin" in read_list(answer, "vary")  # a cache must not give it to a page of ours
        assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_without_the_setting_nothing_is_said_of_origins(api: Api) -> None:
    for answer in (await preflight(api, "v3/booking/rooms", "GET"), await api.get("v3/booking/rooms")):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert "Origin" not in read_list(answer, "vary")


async def test_an_asterisk_is_every_origin(opened: Opened) -> None:
    async with opened("*") as api:
        answer = await api.get("v3/booking/rooms", headers={"Origin": "https://anybody.example"})
        script = await api.http.get("/static/icon.svg", headers={"Origin": "https://anybody.example"})
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]
    assert script.headers.get_list("access-control-allow-origin") == ["*"]
    assert "Origin" not in read_list(answer, "vary")
