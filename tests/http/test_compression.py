"""Compressed answers as callers get them (docs/api/index.md#compression, docs/api/changes.md)."""

import gzip
import json

import brotli
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from support.factories import Api

EMPLOYEES = "v3/booking/employees"
UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress}


async def read_raw(
    api: Api, path: str, accepts: str, method: str = "GET", **headers: str
) -> tuple[dict[str, str], bytes]:
    sent = api.headers | {"Accept-Encoding": accepts} | headers
    async with api.http.stream(method, f"/{path}", headers=sent) as answer:
        body = b"".join([piece async for piece in answer.aiter_raw()])
        assert answer.status_code == 200
        return dict(answer.headers), body


@pytest.mark.parametrize("coding", ["gzip", "br"])
@pytest.mark.parametrize(
    "path", [f"api/{EMPLOYEES}", "api/v3/openapi.json", "static/docs.js", "metrics", "api/v3/booking/time-slots"]
)
async def test_text_is_sent_in_the_coding_that_the_caller_takes(api: Api, path: str, coding: str) -> None:
    plain, body = await read_raw(api, path, "identity")
    headers, packed = await read_raw(api, path, f"{coding}, identity;q=0.1")
    assert headers["content-encoding"] == coding
    assert path == "metrics" or UNPACK[coding](packed) == body
    assert len(packed) < len(body)
    assert "Accept-Encoding" in plain["vary"]
    assert "Accept-Encoding" in headers["vary"]
    head, nothing = await read_raw(api, path, f"{coding}, identity;q=0.1", method="HEAD")
    differing = ["x-request-id", "server-timing", "ratelimit", *(["content-length"] if path == "metrics" else [])]
    assert nothing == b""
    assert {**head, **dict.fromkeys(differing)} == {**headers, **dict.fromkeys(differing)}


async def test_a_search_is_streamed_compressed_and_whole(api: Api) -> None:
    path = "api/v3/booking/time-slots/available?requireEmployeeParticipation=false&lookForwardTime=30.00:00:00"
    _, body = await read_raw(api, path, "identity")
    for coding, unpack in UNPACK.items():
        headers, packed = await read_raw(api, path, coding)
        assert (unpack(packed), headers["content-encoding"]) == (body, coding)
        assert "content-length" not in headers
    assert len(json.loads(body)) > 500


@pytest.mark.parametrize("coding", ["gzip", "br"])
async def test_the_tag_of_a_compressed_answer_is_good_for_reading_and_for_changing(api: Api, coding: str) -> None:
    name, labels = "A group that serves", [f"Label number {n:03} that takes room" for n in range(50)]
    made = await api.post("v3/booking/config/service-groups", {"name": name, "labels": labels})
    path = made.headers["Location"].partition("/api/")[2]
    plain = await api.get(path, headers={"Accept-Encoding": "identity"})
    packed = await api.get(path, headers={"Accept-Encoding": coding})
    tag = packed.headers["ETag"]
    assert packed.headers["Content-Encoding"] == coding
    assert tag == f'{plain.headers["ETag"][:-1]}-{coding}"'  # other bytes, another strong tag
    again = await api.get(path, headers={"Accept-Encoding": coding, "If-None-Match": tag})
    assert (again.status_code, again.headers["ETag"], again.headers["Vary"]) == (304, tag, "Accept-Encoding")
    patch = [{"op": "replace", "path": "/name", "value": "Longer"}]
    for known, status in ((f"W/{tag}", 412), (tag, 200), (tag, 412)):
        changed = await api.request("PATCH", path, json=patch, headers={"If-Match": known})
        assert changed.status_code == status, changed.text


async def test_downloads_are_never_compressed_and_answer_ranges(api: Api) -> None:
    csv = b"name;email\n" * 500
    for name, content in (("people.csv", csv), ("deck.pptx", TEMPLATE_FILE.read_bytes())):
        stored = await api.post("v3/present/contents", files={"file": (name, content)})
        for address in (stored.json()["slideLocation"], stored.json()["downloadUrl"]):
            whole = await api.http.get(address, headers=api.headers | {"Accept-Encoding": "gzip, br"})
            assert (whole.content, whole.headers["Accept-Ranges"]) == (content, "bytes")
            assert "Content-Encoding" not in whole.headers
            part = await api.http.get(address, headers=api.headers | {"Range": "bytes=10-19", "Accept-Encoding": "br"})
            assert (part.status_code, part.content) == (206, content[10:20])


async def test_a_refusal_is_compressed_when_it_is_long(api: Api) -> None:
    wrong = {"name": "Group", "labels": [0] * 100, "employeeIds": list(range(100))}
    answer = await api.post("v3/booking/config/service-groups", wrong, headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert (answer.headers["Content-Encoding"], answer.json()["code"]) == ("gzip", "invalid_request")
