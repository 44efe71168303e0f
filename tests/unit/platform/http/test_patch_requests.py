"""A PATCH as callers see it, on a small application with one resource."""

from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest
from litestar import Litestar, patch

from meetdeck.platform.http.answers import EXCEPTION_HANDLERS
from meetdeck.platform.http.openapi import describe_version
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.platform.values import Version
from meetdeck.platform.values.patching import JsonPatch, apply_patch

JSON_PATCH = "application/json-patch+json"
RENAME = [{"op": "replace", "path": "/name", "value": "Havblik"}]


class Room(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    seats: int


class WritableRoom(msgspec.Struct, frozen=True):
    name: str
    seats: int


@patch("/api/v3/room", **accepts(patch=WritableRoom))
async def change_room(payload: Body[JsonPatch]) -> WritableRoom:
    """Change the room."""
    return apply_patch(Room(UUID(int=1), "Fyrtårn", 4), payload, WritableRoom, read_only=["id"])


def make_app() -> Litestar:
    return Litestar([change_room], exception_handlers=EXCEPTION_HANDLERS, openapi_config=None, logging_config=None)


async def send(content: object, media_type: str | None = JSON_PATCH) -> httpx.Response:
    transport = httpx.ASGITransport(app=make_app(), raise_app_exceptions=False)  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    headers = {"Content-Type": media_type} if media_type else {}
    async with httpx.AsyncClient(transport=transport, base_url="http://meetdeck.test") as http:
        body = content if isinstance(content, bytes) else msgspec.json.encode(content)
        return await http.patch("/api/v3/room", content=body, headers=headers)


async def refuse(content: object, media_type: str = JSON_PATCH) -> tuple[int, str, dict[str, str]]:
    """Return the status, the code, and what is said at which pointer."""
    answer = await send(content, media_type)
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    return answer.status_code, problem["code"], {each["pointer"]: each["detail"] for each in problem.get("errors", [])}


@pytest.mark.parametrize("media_type", [JSON_PATCH, "application/json", "application/json; charset=utf-8", None])
async def test_a_patch_comes_as_json_patch_or_as_json(media_type: str | None) -> None:
    answer = await send(RENAME, media_type)
    assert (answer.status_code, answer.json()) == (200, {"name": "Havblik", "seats": 4})


@pytest.mark.parametrize(
    "media_type", ["application/merge-patch+json", "text/plain", "multipart/form-data; boundary=x"]
)
async def test_another_media_type_is_refused_with_the_right_ones(media_type: str) -> None:
    answer = await send(RENAME, media_type)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert f"Send {JSON_PATCH} or application/json here" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("operations", "status", "code", "pointer"),
    [
        ([*RENAME, {"op": "replace", "path": "/nam", "value": "A"}], 400, "invalid_patch", "/operations/1/path"),
        ([*RENAME, {"op": "replace", "path": "/id", "value": "A"}], 400, "invalid_patch", "/operations/1/value"),
        ([*RENAME, {"op": "add", "path": "/seats", "value": "A"}], 400, "invalid_request", "/operations/1/value"),
        ([*RENAME, {"op": "put", "path": "/seats", "value": 1}], 400, "invalid_request", "/operations/1/op"),
        ([*RENAME, {"op": "test", "path": "/seats", "value": 5}], 409, "patch_test_failed", "/operations/1/value"),
    ],
)
async def test_a_refusal_points_to_the_operation(operations: list[Any], status: int, code: str, pointer: str) -> None:
    refused_with, refused_as, said = await refuse(operations)
    assert (refused_with, refused_as, set(said)) == (status, code, {pointer})


async def test_an_object_instead_of_an_array_is_refused_with_the_patch_that_was_meant() -> None:
    answer = await send({"name": "Havblik"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert '[{"op": "replace", "path": "/name", "value": …}]' in answer.json()["detail"]


def test_the_document_shows_what_an_operation_is() -> None:
    document = describe_version(make_app(), Version.V3)
    body = document["paths"]["/api/v3/room"]["patch"]["requestBody"]
    assert body["required"]
    assert body["content"] == {JSON_PATCH: {"schema": {"$ref": "#/components/schemas/JsonPatch"}}}
    schemas = document["components"]["schemas"]
    assert (schemas["JsonPatch"]["type"], schemas["JsonPatch"]["maxItems"]) == ("array", 1000)
    assert set(schemas["PatchOp"]["enum"]) == {"add", "remove", "replace", "move", "copy", "test"}
    assert schemas["PatchOperation"]["required"] == ["op", "path"]
