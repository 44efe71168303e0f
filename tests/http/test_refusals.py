"""Refusals of the API: problem+json that names what was wrong and what to do, and reveals no internals."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.app import build_app
from meetdeck.platform.database import Connection, Database
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import HandClock

UNKNOWN = str(uuid4())


def check_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Assert that an answer is a problem of RFC 9457 with our members; return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert {"type", "title", "status", "detail", "instance", "code", "requestId"} <= set(problem)
    assert (problem["status"], problem["code"], problem["type"]) == (status, code, f"urn:meetdeck:problem:{code}")
    assert problem["detail"].endswith((".", "?", "`"))
    assert problem["requestId"] == answer.headers["X-Request-Id"]
    return problem


# --------------------------------------------------------------------------------------------------------- who calls


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_without_credentials_nobody_comes_in(version: str, api: Api) -> None:
    for path in (f"/api/{version}/present/templates", f"/api/{version}/booking/employees"):
        answer = await api.http.get(path)
        problem = check_problem(answer, 401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert "Authorization: Bearer" in problem["detail"]
        assert problem["instance"] == path


async def test_token_and_key_are_both_needed(api: Api) -> None:
    for name in api.headers:
        others = {header: value for header, value in api.headers.items() if header != name}
        answer = await api.http.get("/api/v3/present/templates", headers=others)
        assert name in check_problem(answer, 401, "unauthenticated")["detail"]
        assert "WWW-Authenticate" in answer.headers


async def test_a_key_of_another_tenant_is_forbidden(api: Api) -> None:
    key = {"Ocp-Apim-Subscription-Key": (await api.other()).headers["Ocp-Apim-Subscription-Key"]}
    check_problem(await api.get("v3/present/templates", headers=key), 403, "forbidden")


async def test_a_token_lives_an_hour(api: Api, clock: HandClock) -> None:
    clock.advance(minutes=59)
    assert (await api.get("v3/booking/rooms")).status_code == 200
    clock.advance(minutes=2)
    assert "expired" in check_problem(await api.get("v3/booking/rooms"), 401, "unauthenticated")["detail"]


async def test_who_calls_is_asked_before_the_body_is_read(api: Api) -> None:
    for path in ("booking/time-slots/reserve", "booking/meetings", "present/slides", "present/templates"):
        answer = await api.http.post(f"/api/v3/{path}", content=b"{ not JSON")
        check_problem(answer, 401, "unauthenticated")
    check_problem(await api.http.get("/api/v3/booking/time-slots/available?topic=x"), 401, "unauthenticated")


# ------------------------------------------------------------------------------------------------- what is not there


async def test_an_address_that_is_none_says_where_to_look(api: Api) -> None:
    for path in ("v3/nothing", "v4/present/templates"):
        assert "/docs" in check_problem(await api.get(path), 404, "not_found")["detail"]


async def test_every_missing_credential_is_named_at_once(api: Api) -> None:
    for left_out in ([], ["Authorization"], ["Ocp-Apim-Subscription-Key"]):
        headers = {name: api.headers[name] for name in left_out}
        detail = (await api.http.get("/api/v3/booking/meetings", headers=headers)).json()["detail"]
        named = [name for name in api.headers if name in detail]
        assert named == [name for name in api.headers if name not in left_out]


async def test_a_form_where_json_is_wanted_is_415_but_json_called_a_form_is_read(api: Api) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path, content in (("meetings", b"employeeId=5&type=Online"), ("time-slots/reserve", b"")):
        answer = await api.request("POST", f"v3/booking/{path}", content=content, headers=form)
        check_problem(answer, 415, "unsupported_media_type")
        assert "application/json" in answer.json()["detail"]
    answer = await api.request("POST", "v3/booking/config/customer-types", content=b'{"name": "New"}', headers=form)
    assert answer.status_code != 415


async def test_an_id_that_is_none_is_404(api: Api) -> None:
    for path in ["booking/meetings", "booking/rooms", "booking/employees", "booking/config/customer-types"]:
        for version in ("v2", "v3"):
            answer = await api.get(f"{version}/{path}/{UNKNOWN}")
            assert answer.status_code == 404
            assert UNKNOWN in answer.json()["detail"]


async def test_a_part_of_an_address_that_should_be_an_id_is_named(api: Api) -> None:
    for path, wrong in (("booking/meetings/abc", "abc"), ("booking/meetings/C-1001/documents/problems", "C-1001")):
        answer = await api.get(f"v3/{path}")
        check_problem(answer, 404, "not_found")
        assert answer.json()["detail"].startswith(f'"{wrong}" is not an id: this address requires a UUID')
    for path in ("booking/meeting", f"booking/meetings/{UNKNOWN}/no-such-part", "booking/meetings/abc/no-such-part"):
        assert (await api.get(f"v3/{path}")).json()["detail"].startswith("There is nothing at this address")
    long = (await api.get(f"v3/booking/meetings/{'a' * 5000}")).json()["detail"]
    assert len(long) < 200


async def test_a_method_that_an_address_does_not_take_is_405(api: Api) -> None:
    answer = await api.request("DELETE", "v3/booking/employees")
    check_problem(answer, 405, "method_not_allowed")
    assert "GET" in answer.headers["Allow"]


# ---------------------------------------------------------------------------------------------------- what is wrong


async def test_everything_wrong_with_a_body_is_said_at_once(api: Api) -> None:
    answer = await api.post(
        "v3/booking/time-slots/reserve", {"timeSlot": {"startDate": "soon", "status": "Held", "roomId": 5}}
    )
    problem = check_problem(answer, 400, "invalid_request")
    assert {error["pointer"] for error in problem["errors"]} == {
        "/timeSlot/startDate",
        "/timeSlot/endDate",
        "/timeSlot/status",
        "/timeSlot/roomId",
        "/token",
    }
    assert all(error["detail"] for error in problem["errors"])


BROKEN_BODIES = [b"", b"{", b"[]", b'{"template": "\xff"}', b"[" * 100_000, b'{"slides": 1,']


async def test_a_body_that_is_none_is_400(api: Api) -> None:
    for content in BROKEN_BODIES:
        for path in ("booking/time-slots/reserve", "booking/meetings", "present/slides"):
            check_problem(await api.request("POST", f"v3/{path}", content=content), 400, "invalid_request")


BROKEN_FORMS = [
    ("multipart/form-data", b"--x--"),
    ("multipart/form-data; boundary=x", b"no parts"),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nhalf'),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: nonsense\r\n\r\nx\r\n--x--\r\n"),
    ("multipart/form-data; boundary=", b""),
]


async def test_a_form_that_is_none_is_400(api: Api) -> None:
    for content_type, content in BROKEN_FORMS:
        for path in ("present/templates", "present/slides/pdf"):
            answer = await api.request("POST", f"v3/{path}", content=content, headers={"Content-Type": content_type})
            assert answer.status_code == 400, answer.text
            assert answer.headers["Content-Type"] == "application/problem+json"


async def test_a_body_with_a_byte_order_mark_is_read(api: Api) -> None:
    json_headers = {"Content-Type": "application/json"}
    made = await api.request(
        "POST", "v3/booking/config/rooms", content=b'\xef\xbb\xbf{"name": "R", "capacity": 2}', headers=json_headers
    )
    assert (made.status_code, made.json()["name"]) == (201, "R")
    ribe = await api.post("v3/booking/config/locations", {"location": "Ribe"})
    changed = await api.request(
        "PATCH",
        f"v3/booking/config/locations/{ribe.json()['id']}",
        content='\ufeff[{"op": "replace", "path": "/location", "value": "Tønder"}]'.encode(),
        headers=json_headers,
    )
    assert (changed.status_code, changed.json()["location"]) == (200, "Tønder")


@pytest.mark.parametrize("coding", ["gzip", "br", "GZIP, identity"])
async def test_a_compressed_body_is_refused_in_words(api: Api, coding: str) -> None:
    packed = {"content": b"\x1f\x8b\x08", "headers": {"Content-Encoding": coding}}
    for method, path in (("POST", "v3/booking/meetings"), ("PATCH", f"v3/booking/meetings/{UNKNOWN}")):
        answer = await api.request(method, path, **packed)
        assert "Content-Encoding" in check_problem(answer, 415, "unsupported_media_type")["detail"]
    form = {"Content-Type": "multipart/form-data; boundary=x", "Content-Encoding": coding}
    answer = await api.request("POST", "v3/present/contents", content=b"\x1f\x8b\x08", headers=form)
    check_problem(answer, 415, "unsupported_media_type")


async def test_a_body_of_the_wrong_kind_is_415(api: Api) -> None:
    answer = await api.post("v3/present/contents", {"fileless": True})
    assert "multipart/form-data" in check_problem(answer, 415, "unsupported_media_type")["detail"]


async def test_a_text_that_cannot_be_stored_is_400(api: Api) -> None:
    anna, times = api.id_of("employee", "Anna Holm"), {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00"}
    assert (await api.book(employeeId=anna, title="a\0b", **times)).status_code == 400
    assert (await api.book(employeeId=anna, customFields=[{"key": "a", "value": "\0"}], **times)).status_code == 400
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="a\0b")).status_code == 400
    assert (await api.get("v3/present/templates/a%00b")).status_code == 400
    answer = await api.get("v3/booking/time-slots/available?requireEmployeeParticipation=false&customerLocation=%00")
    assert answer.status_code == 400


async def test_a_body_larger_than_this_installation_takes_is_413(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with Api.open(make_services(database, clock, tmp_path, MissingRenderer(), max_upload_bytes=1000)) as api:
        answer = await api.request("POST", "v3/present/slides", content=b" " * 100_000)
        check_problem(answer, 413, "too_large")
        form = {"name": (None, "Big"), "file": ("big.pptx", b" " * 100_000)}
        answer = await api.request("POST", "v3/present/templates", files=form)
        check_problem(answer, 413, "too_large")


# ----------------------------------------------------------------------------------------------------- request ids


async def test_every_answer_carries_a_request_id(api: Api) -> None:
    first = (await api.get("v3/booking/rooms")).headers["X-Request-Id"]
    second = (await api.get("v3/booking/rooms")).headers["X-Request-Id"]
    assert first != second


async def test_a_callers_own_request_id_comes_back(api: Api) -> None:
    answer = await api.get("v3/nothing", headers={"X-Request-Id": "crm-4711/a=b"})
    assert answer.headers["X-Request-Id"] == answer.json()["requestId"] == "crm-4711/a=b"


async def test_a_request_id_that_would_spoil_the_log_is_replaced(api: Api) -> None:
    for given in ["", "two words", "x" * 129, "<script>", "a;b"]:
        answer = await api.get("v3/booking/rooms", headers={"X-Request-Id": given})
        assert answer.headers["X-Request-Id"] not in {"", given}


# ------------------------------------------------------------------------------------------------ our own mishaps


async def test_a_caller_who_goes_away_is_no_defect_of_ours(api: Api, services: Services) -> None:
    sent: list[Any] = []
    path = "/api/v3/booking/time-slots/reserve"
    headers = {**api.headers, "Content-Length": "300"}

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "client": None,
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    await build_app(services)(scope, receive, send)
    assert sent[0]["status"] == 400
    assert json.loads(sent[1]["body"])["detail"] == "The body is incomplete."


@pytest.mark.own_database
async def test_a_defect_of_ours_shows_a_request_id_and_no_inside_story(api: Api, owner: Connection) -> None:
    await owner.execute("alter table room rename to chamber")
    answer = await api.get("v3/booking/rooms")
    problem = check_problem(answer, 500, "internal_error")
    assert "relation" not in answer.text
    assert "request id" in problem["detail"]
