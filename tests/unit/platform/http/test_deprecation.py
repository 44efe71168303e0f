"""Deprecated parts are marked in the documents, and in the answer to a request that uses them."""

from types import SimpleNamespace
from typing import Annotated, Any

import httpx
import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.platform.http.around import RequestMiddleware
from meetdeck.platform.http.calls import documents, make_state, note_deprecated
from meetdeck.platform.http.openapi import describe_version
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version, deprecated, deprecated_member

_SINCE = "@1800230400"  # 2027-01-18
_POLICY = '<https://meetdeck.test/docs/api/versions#deprecated>; rel="deprecation"; type="text/html"'


class Part(msgspec.Struct, frozen=True):
    old: Annotated[str | None, deprecated_member("2027-01-18", "Use `new`.", gone="2028-03-01")] = None
    new: str = ""


class Room(msgspec.Struct, frozen=True):
    name: str
    parts: list[Part] = []


class RoomsQuery(msgspec.Struct, frozen=True):
    seats: Annotated[list[int], deprecated_member("2027-06-01", "Use `least`.")] = []
    least: int = 0


@get("/api/v3/rooms", **accepts(query=RoomsQuery))
async def list_rooms(params: Query[RoomsQuery]) -> Room:
    """Return a room."""
    return Room(str(params.least))


@post("/api/v3/rooms", **accepts(body=Room))
async def add_room(payload: Body[Room]) -> Room:
    """Add a room."""
    return payload


@get("/api/v3/chambers", **documents(deprecated=deprecated("2027-01-18", "Use `GET /rooms`.", gone="2028-01-18")))
async def list_chambers() -> Room:
    """Return a chamber."""
    return Room("Fjorden")


def note(app: ASGIApp) -> ASGIApp:
    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        note_deprecated(scope)
        await app(scope, receive, send)

    return noting


def make_app() -> Litestar:
    return Litestar([list_rooms, add_room, list_chambers], middleware=[note], openapi_config=None, logging_config=None)


async def send(method: str, path: str, **arguments: Any) -> httpx.Headers:
    services: Any = SimpleNamespace(settings=SimpleNamespace(base_url="https://meetdeck.test"))
    transport = httpx.ASGITransport(app=RequestMiddleware(make_app(), make_state(services)))  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    async with httpx.AsyncClient(transport=transport, base_url="http://meetdeck.test") as http:
        answer = await http.request(method, f"/api/v3/{path}", **arguments)
    assert answer.is_success, answer.text
    return answer.headers


async def test_a_deprecated_operation_says_since_when_and_until_when() -> None:
    headers = await send("GET", "chambers")
    assert (headers["Deprecation"], headers["Link"]) == (_SINCE, _POLICY)
    assert headers["Sunset"] == "Tue, 18 Jan 2028 00:00:00 GMT"


async def test_a_parameter_and_a_member_say_so_only_when_they_are_used() -> None:
    assert "Deprecation" not in await send("GET", "rooms?least=3")
    used = await send("GET", "rooms?seats[]=3")
    assert used["Deprecation"] == "@1811808000"
    assert "Sunset" not in used
    assert "Deprecation" not in await send("POST", "rooms", json={"name": "Fjorden", "parts": [{"new": "x"}]})
    headers = await send("POST", "rooms", json={"name": "Fjorden", "parts": [{"new": "x"}, {"old": "y"}]})
    assert (headers["Deprecation"], headers["Sunset"]) == (_SINCE, "Wed, 01 Mar 2028 00:00:00 GMT")


def test_the_documents_mark_what_is_deprecated() -> None:
    document = describe_version(make_app(), Version.V3)
    chambers = document["paths"]["/api/v3/chambers"]["get"]
    assert chambers["deprecated"] is True
    assert (
        "Deprecated since 2027-01-18: Use `GET /rooms`. It may be removed from 2028-01-18 on."
        in chambers["description"]
    )
    parameters = {one["name"]: one for one in document["paths"]["/api/v3/rooms"]["get"]["parameters"] if "name" in one}
    assert [name for name, one in parameters.items() if one.get("deprecated")] == ["seats"]
    assert "deprecated" not in parameters["seats"]["schema"]
    members = document["components"]["schemas"]["Part"]["properties"]
    assert [name for name, one in members.items() if one.get("deprecated")] == ["old"]
    assert "x-deprecated" not in str(document)


def test_a_notice_of_less_than_a_year_is_refused() -> None:
    with pytest.raises(ValueError, match="2028-01-18 is the first day"):
        deprecated("2027-01-18", "Use the other.", gone="2027-12-31")
