"""Two OpenAPI documents are compared: what breaks callers is told apart from what is only new."""

import copy
from typing import Any

import pytest
from tools.api_changes.comparing import Change, compare
from tools.api_changes.releases import find_unrecorded, list_releases, list_unnoted, read_release
from tools.api_changes.surface import read_surface

Json = dict[str, Any]

_ROOM: Json = {
    "properties": {
        "name": {"type": "string", "maxLength": 200},
        "capacity": {"type": ["integer", "null"]},
        "kind": {"$ref": "#/components/schemas/Kind"},
    },
    "required": ["name", "kind"],
}
_BODY: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/SaveRoom"}}}
_ANSWER: Json = {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Room"}}}}
_DOCUMENT: Json = {
    "paths": {
        "/api/v3/rooms": {
            "post": {
                "operationId": "saveRooms",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 10}}],
                "requestBody": {"content": _BODY},
                "responses": {
                    "200": {"description": "", "content": _ANSWER},
                    "409": {"description": "`code` is `room_taken`."},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Room": _ROOM,
            "SaveRoom": copy.deepcopy(_ROOM),
            "Kind": {"enum": ["Small", "Large"], "type": "string"},
        }
    },
}
_POST = "POST /rooms"


def find(document: Json, *path: str | int) -> Any:
    node: Any = document
    for step in path:
        node = node[step]
    return node


def change(*path: str | int, to: Any) -> list[Change]:
    """Return the changes when one place of the document gets another value; None: it is removed."""
    new = copy.deepcopy(_DOCUMENT)
    *parents, last = path
    if to is None:
        del find(new, *parents)[last]
    else:
        find(new, *parents)[last] = to
    return compare(read_surface(_DOCUMENT), read_surface(new))


_SCHEMAS = ("components", "schemas")
_OPERATION = ("paths", "/api/v3/rooms", "post")
_SAVE = (*_SCHEMAS, "SaveRoom")
_READ = (*_SCHEMAS, "Room")


@pytest.mark.parametrize(
    ("path", "to", "subject"),
    [
        (("paths", "/api/v3/rooms"), None, _POST),
        ((*_OPERATION, "operationId"), "createRooms", _POST),
        ((*_OPERATION, "parameters"), [], f"{_POST} query limit"),
        ((*_OPERATION, "parameters", 0, "required"), True, f"{_POST} query limit"),
        ((*_OPERATION, "parameters", 0, "schema", "maximum"), 5, f"{_POST} query limit"),
        ((*_OPERATION, "requestBody", "required"), True, _POST),
        ((*_OPERATION, "responses", "409", "description"), "Taken.", "room_taken"),
        ((*_READ, "properties", "capacity"), None, "Room.capacity"),
        ((*_READ, "properties", "name", "type"), ["string", "null"], "Room.name"),
        ((*_READ, "required"), ["kind"], "Room.name"),
        ((*_SAVE, "properties", "capacity"), None, "SaveRoom.capacity"),
        ((*_SAVE, "properties", "capacity", "type"), "integer", "SaveRoom.capacity"),
        ((*_SAVE, "properties", "name", "maxLength"), 100, "SaveRoom.name"),
        ((*_SAVE, "required"), ["name", "kind", "capacity"], "SaveRoom.capacity"),
        ((*_SCHEMAS, "Kind", "enum"), ["Small"], "Kind"),
    ],
)
def test_what_breaks_callers_is_found(path: tuple[str | int, ...], to: Any, subject: str) -> None:
    found = change(*path, to=to)
    assert subject in {one.subject for one in found if one.breaking}, found
    assert list_unnoted({"v3": found}, "## [Unreleased]\n\n## [1.0.0]\n", "1.0.0")
    told = "".join(f"- `{one.subject}`\n" for one in found)
    assert not list_unnoted({"v3": found}, f"## [Unreleased]\n{told}\n## [1.0.0]\n", "1.0.0")
    assert list_unnoted({"v3": found}, f"## [Unreleased]\n## [1.0.0]\n{told}", "1.0.0"), "told in an older release"


@pytest.mark.parametrize(
    ("path", "to", "subject"),
    [
        ((*_OPERATION, "parameters", 0, "schema", "maximum"), 20, None),
        ((*_READ, "properties", "floor"), {"type": "integer"}, "Room.floor"),
        ((*_SAVE, "properties", "floor"), {"type": "integer"}, "SaveRoom.floor"),
        ((*_SAVE, "properties", "name", "type"), ["string", "null"], "SaveRoom.name"),
        ((*_SAVE, "required"), ["name"], None),
        ((*_READ, "properties", "capacity", "type"), "integer", "Room.capacity"),
        ((*_SCHEMAS, "Kind", "enum"), ["Small", "Large", "Huge"], "Kind"),
        ((*_OPERATION, "responses", "410"), {"description": "`code` is `room_gone`."}, "room_gone"),
    ],
)
def test_what_is_only_new_breaks_nobody(path: tuple[str | int, ...], to: Any, subject: str | None) -> None:
    found = change(*path, to=to)
    assert not [one for one in found if one.breaking]
    assert {one.subject for one in found} == ({subject} if subject else set())


def test_a_type_that_only_has_another_name_breaks_nobody() -> None:
    new = copy.deepcopy(_DOCUMENT)
    new["components"]["schemas"]["SavedRoom"] = new["components"]["schemas"].pop("SaveRoom")
    find(new, *_OPERATION, "requestBody", "content", "application/json")["schema"] = {
        "$ref": "#/components/schemas/SavedRoom"
    }
    assert compare(read_surface(_DOCUMENT), read_surface(new)) == [
        Change(breaking=False, subject="SaveRoom", text="called `SavedRoom`")
    ]


def test_releases_are_in_their_order(tmp_path: Any) -> None:
    for name in ("1.10.0", "1.2.0"):
        (tmp_path / f"{name}.json").touch()
    assert list_releases(tmp_path) == ["1.2.0", "1.10.0"]


def test_a_release_needs_the_record_of_its_own_api() -> None:
    latest = list_releases()[-1]
    recorded = read_release(latest)
    assert find_unrecorded(latest, recorded) is None
    missing = find_unrecorded("99.0.0", recorded)
    assert missing is not None
    assert "`python -m tools.api_changes 99.0.0`" in missing
    other = find_unrecorded(latest, {**recorded, "v3": {}})
    assert other is not None
    assert "next version in pyproject.toml" in other
