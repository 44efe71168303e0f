"""The public conformance suite of JSON Patch, whole: on its documents, and over HTTP on a resource that holds them."""

import json
import re
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar, patch
from litestar.params import FromQuery

from meetdeck.platform.errors import Conflict, Invalid
from meetdeck.platform.http.answers import EXCEPTION_HANDLERS
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.platform.values.patching import JsonPatch, apply_operations, apply_patch, read_patch
from support.patch_suite import PatchCase, SuiteMissing, load_patch_cases


class Holder(msgspec.Struct):
    held: Any


@patch("/", **accepts(patch=Holder))
async def change_holder(payload: Body[JsonPatch], document: FromQuery[str]) -> Holder:
    """Change a resource that holds any document."""
    return apply_patch(Holder(msgspec.json.decode(document)), payload, Holder)


@pytest.fixture(scope="module")
def cases() -> list[PatchCase]:
    try:
        return load_patch_cases()
    except SuiteMissing as problem:
        pytest.skip(f"the public suite of JSON Patch is missing: {problem}")


def comparable(content: bytes) -> str:
    return json.dumps(json.loads(content), sort_keys=True)


def test_every_case_passes_on_its_document(cases: list[PatchCase], subtests: pytest.Subtests) -> None:
    assert len(cases) == 95
    for case in cases:
        with subtests.test(case.name):
            document = msgspec.json.decode(case.document)
            if case.is_refused:
                with pytest.raises((Invalid, Conflict)):
                    apply_operations(document, read_patch(case.patch))
            else:
                patched = msgspec.json.encode(apply_operations(document, read_patch(case.patch)))
                assert comparable(patched) == comparable(case.expected or patched)


async def test_every_case_passes_over_http(cases: list[PatchCase], subtests: pytest.Subtests) -> None:
    app = Litestar([change_holder], exception_handlers=EXCEPTION_HANDLERS, openapi_config=None, logging_config=None)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    async with httpx.AsyncClient(transport=transport, base_url="http://meetdeck.test") as http:
        for case in cases:
            with subtests.test(case.name):
                operations = re.sub(rb'("(?:path|from)"\s*:\s*")', rb"\1/held", case.patch)
                answer = await http.patch("/", params={"document": case.document.decode()}, content=operations)
                assert answer.status_code in ({400, 409} if case.is_refused else {200}), answer.text
                if case.expected is not None:
                    assert comparable(answer.content) == comparable(b'{"held": %b}' % case.expected)
