"""HTTP at every address: HEAD, OPTIONS, and headers that every answer carries (docs/api/index.md#environments)."""

from typing import Any

import pytest
from litestar.routes import HTTPRoute

from meetdeck.app import make_routes
from support.factories import TUESDAY_AT_TEN, Api

OUTSIDE_THE_API = [
    "/",
    "/docs",
    "/static/icon.svg",
    "/health/live",
    "/health/ready",
    "/metrics",
    "/api/v3/openapi.json",
]
CHANGING = {"x-request-id", "date", "ratelimit", "server-timing"}


async def list_addresses(api: Api, version: str = "v3") -> dict[str, set[str]]:
    """Return every documented address with its methods, in capitals."""
    document = (await api.http.get(f"/api/{version}/openapi.json")).json()
    return {
        path: {method.upper() for method in item if method in {"get", "post", "put", "patch", "delete"}}
        for path, item in document["paths"].items()
    }


@pytest.mark.parametrize("version", [pytest.param("v2", marks=pytest.mark.thorough), "v3"])
async def test_head_answers_what_get_answers_without_the_body(api: Api, version: str) -> None:
    listed = await list_addresses(api, version)
    readable = [path for path, methods in listed.items() if "GET" in methods and "{" not in path]
    assert len(readable) > 5
    for path in [*OUTSIDE_THE_API, *readable]:
        got = await api.http.get(path, headers=api.headers)
        head = await api.http.head(path, headers=api.headers)
        assert (path, head.status_code, head.content) == (path, got.status_code, b"")
        assert without(head.headers, CHANGING) == without(got.headers, CHANGING) or path == "/metrics"


def without(headers: Any, names: set[str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name.lower() not in names}


def list_routes() -> dict[str, set[str]]:
    """Return every address that is routed, those that no document names too, with the methods of its handlers."""
    routes = make_routes(with_issuer=True).routes
    return {
        route.path: {str(method) for method in route.methods} - {"OPTIONS"}
        for route in routes
        if isinstance(route, HTTPRoute)
    }


@pytest.mark.thorough
async def test_head_and_options_are_answered_at_every_address_that_is_routed(api: Api) -> None:
    routes = {path: methods for path, methods in list_routes().items() if "/api/v2/" not in path}
    assert len(routes) > 90
    for path, methods in routes.items():
        options = await api.http.options(with_ids(path))
        named = methods | ({"HEAD", "OPTIONS"} if "GET" in methods else {"OPTIONS"})
        assert (path, options.status_code, allowed(options.headers["Allow"])) == (path, 204, named)
        head = await api.http.head(with_ids(path), headers=api.headers)
        got = await api.http.get(with_ids(path), headers=api.headers)
        assert (path, head.status_code, head.content) == (path, got.status_code, b"")
        assert (path, head.headers.get("content-type")) == (path, got.headers.get("content-type"))
        assert ("GET" in methods) == (head.status_code != 405)


async def test_head_of_a_single_resource_knows_what_the_caller_has(api: Api) -> None:
    anna = f"v3/booking/employees/{api.id_of('employee', 'Anna Holm')}"
    tag = (await api.request("HEAD", anna)).headers["ETag"]
    assert tag == (await api.get(anna)).headers["ETag"]
    assert (await api.request("HEAD", anna, headers={"If-None-Match": tag})).status_code == 304


async def test_head_asks_for_credentials_as_get_does(api: Api) -> None:
    assert (await api.http.head("/api/v3/booking/meetings")).status_code == 401


async def test_head_of_what_is_not_there_and_of_what_cannot_be_read(api: Api) -> None:
    assert (await api.http.head("/api/v3/nothing", headers=api.headers)).status_code == 404
    assert (await api.request("HEAD", "v3/booking/time-slots/reserve")).status_code == 405


async def test_options_names_every_method_of_an_address_without_credentials(api: Api) -> None:
    listed = await list_addresses(api)
    for path, methods in listed.items():
        answer = await api.http.options(path.replace("{", "").replace("}", "") if "{" not in path else with_ids(path))
        assert (path, answer.status_code) == (path, 204)
        assert allowed(answer.headers["Allow"]) == methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())
        assert answer.content == b""


def with_ids(path: str) -> str:
    """Put an id into each variable of an address."""
    steps = path.split("/")
    return "/".join("00000000-0000-4000-8000-000000000000" if step.startswith("{") else step for step in steps)


def allowed(header: str) -> set[str]:
    return {method.strip() for method in header.split(",")}


async def test_a_refused_method_is_told_every_method_that_is_taken(api: Api) -> None:
    answer = await api.request("DELETE", "v3/booking/config/employees")
    assert (answer.status_code, allowed(answer.headers["Allow"])) == (405, {"GET", "HEAD", "OPTIONS", "POST"})
    assert (await api.http.options("/api/v3/nothing")).status_code == 404


async def test_no_answer_is_guessed_at_or_kept_unless_it_says_so(api: Api) -> None:
    meeting = await api.book(
        employeeId=api.id_of("employee", "Anna Holm"),
        startDate=TUESDAY_AT_TEN.isoformat(),
        endDate=TUESDAY_AT_TEN.replace(hour=11).isoformat(),
    )
    assert meeting.status_code == 201
    answers = {
        "created": meeting,
        "list": await api.get("v3/booking/meetings"),
        "refusal": await api.get("v3/booking/meetings?employeeId=x"),
        "no address": await api.http.get("/nothing"),
        "not let in": await api.http.get("/api/v3/booking/meetings"),
        "health": await api.http.get("/health/ready"),
    }
    for name, answer in answers.items():
        assert (name, answer.headers["X-Content-Type-Options"]) == (name, "nosniff")
        assert (name, answer.headers["Cache-Control"]) == (name, "no-store")
    single = await api.get(f"v3/booking/meetings/{meeting.json()['id']}")
    assert single.headers["Cache-Control"] == "private, no-cache"
    for path in ["/static/icon.svg", "/static/swagger-ui/swagger-ui-bundle.js"]:
        assert (await api.http.get(path)).headers["Cache-Control"] == "max-age=3600, public"


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000, "%00", "icon.svg%00.css", "icon.svg/x"])
async def test_a_name_that_no_file_can_have_is_not_found(api: Api, name: str) -> None:
    assert (await api.http.get(f"/static/{name}")).status_code == 404
