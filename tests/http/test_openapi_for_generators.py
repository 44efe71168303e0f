"""Documents for generators of clients: stable names, true types, nothing that is never used."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from litestar.routes import HTTPRoute
from msgspec.structs import fields
from tools.api_changes.releases import list_steps, list_unnoted
from tools.api_changes.surface import read_surface

from meetdeck.app import make_routes
from meetdeck.platform.http.openapi.schemas import is_struct
from meetdeck.platform.values import InvalidInput, Version, options_of, read_json
from support.documents import DOCUMENTS, EACH_VERSION, Json, operations_of, walk
from support.factories import Api

_CLIENTS = Path(__file__).parents[2] / "clients"
_KEPT = Path(__file__).with_name("operation_ids.txt")


def list_operation_ids() -> set[str]:
    """Return `id METHOD /address` for each operation, the address without its version."""
    return {
        f"{operation['operationId']} {method.upper()} {path.removeprefix(f'/api/{version}')}"
        for version, document in DOCUMENTS.items()
        for path, method, operation in operations_of(document)
    }


def test_an_operation_keeps_the_id_by_which_generated_clients_call_it() -> None:
    """A new operation adds its line to the kept list; no line is ever changed, and none goes without its address."""
    kept = set(_KEPT.read_text(encoding="utf-8").splitlines())
    missing, gone = sorted(list_operation_ids() - kept), sorted(kept - list_operation_ids())
    assert not gone, f"Clients call these: give their handlers the old names again: {gone}"
    assert not missing, f"These are not in tests/http/operation_ids.txt, add them in their places: {missing}"
    assert _KEPT.read_text(encoding="utf-8").splitlines() == sorted(kept)


def test_a_change_that_breaks_callers_is_told_in_the_changelog() -> None:
    """A breaking change fails here until CHANGELOG.md names it in backquotes above the last release."""
    present: dict[str, Json] = {version: read_surface(document) for version, document in DOCUMENTS.items()}
    step = next(list_steps(present))
    changelog = (_CLIENTS.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert not list_unnoted(step.changes, changelog, step.since)
    present[Version.V3]["operations"].pop("GET /booking/employees")
    told = list_unnoted(next(list_steps(present)).changes, changelog, step.since)
    assert told == ["v3: `GET /booking/employees`: removed"]


def test_each_post_without_a_key_is_one_that_the_client_libraries_know() -> None:
    """They repeat POSTs after a broken connection, but for those that take no key and change something."""
    changing = ("undo", "notice", "replay", "test", "reassign")
    asking = ("preview", "read", "ical", "slides", "picture", "validation", "closing-days")
    keyless = {
        path.rpartition("/")[2]
        for path, method, operation in operations_of(DOCUMENTS[Version.V3])
        if method == "post" and "Idempotency" not in str(operation["parameters"])
    }
    assert keyless == {*changing, *asking}
    for source in ("python/src/meetdeck_client/_exchange.py", "typescript/src/sending.ts"):
        text = (_CLIENTS / source).read_text(encoding="utf-8")
        (once,) = re.findall(r"ONCE = (.*)", text)
        assert re.findall(r"[a-z]+", once) == [*changing], source


@EACH_VERSION
def test_no_id_is_told_apart_by_a_number(document: Json) -> None:
    assert not [one["operationId"] for _, _, one in operations_of(document) if re.search(r"\d", one["operationId"])]


@EACH_VERSION
def test_an_object_of_any_members_may_have_any(document: Json) -> None:
    free = [node for node in walk(document) if "object" in node.get("type", []) and "properties" not in node]
    assert any(node["additionalProperties"] is True for node in free)
    typed = [node for node in free if node["additionalProperties"] is not True]
    assert all("language" in node["description"] and node["additionalProperties"] for node in typed)


@EACH_VERSION
def test_a_json_patch_is_of_one_media_type_and_one_named_schema(document: Json) -> None:
    patches = [
        operation["requestBody"]["content"]
        for _, method, operation in operations_of(document)
        if method == "patch" and "application/json" not in operation["requestBody"]["content"]
    ]
    assert patches
    for content in patches:
        assert list(content) == ["application/json-patch+json"]
        assert content["application/json-patch+json"]["schema"] == {"$ref": "#/components/schemas/JsonPatch"}
    schemas = document["components"]["schemas"]
    assert schemas["JsonPatch"]["items"] == {"$ref": "#/components/schemas/PatchOperation"}
    assert schemas["PatchOperation"]["properties"]["op"]["$ref"] == "#/components/schemas/PatchOp"
    assert schemas["PatchOp"]["enum"] == ["add", "remove", "replace", "move", "copy", "test"]


@EACH_VERSION
def test_what_is_text_is_no_file(document: Json) -> None:
    for path, _, operation in operations_of(document):
        for response in operation["responses"].values():
            for media_type, content in response.get("content", {}).items():
                if media_type.startswith("text/"):
                    assert content["schema"] == {"type": "string"}, path


def test_the_media_type_that_callers_get_who_ask_for_none_comes_first() -> None:
    paths = DOCUMENTS[Version.V3]["paths"]
    pdf = paths["/api/v3/present/slides/pdf"]["post"]["responses"]["200"]["content"]
    assert list(pdf) == ["application/pdf", "application/json"]
    picture = paths["/api/v3/present/templates/{name}/slides/{slideName}"]["get"]["responses"]["200"]["content"]
    assert next(iter(picture)) == "application/json"


@EACH_VERSION
def test_every_schema_is_used(document: Json) -> None:
    used = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert used == set(document["components"]["schemas"])


@EACH_VERSION
def test_choices_have_a_name(document: Json) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert not [node for node in walk(schema.get("properties", {})) if "enum" in node], name


@EACH_VERSION
def test_every_operation_has_a_parameter_without_which_a_generator_forgets_an_import(document: Json) -> None:
    for path, _, operation in operations_of(document):
        assert "X-Request-Id" in {one["name"] for one in operation["parameters"] if not one.get("required")}, path


@EACH_VERSION
def test_an_answer_requires_what_is_always_there(document: Json) -> None:
    """Generators make everything else something that may be missing."""
    schemas = document["components"]["schemas"]
    names = ("attendance", "calendarUnverified", "language", "alsoServiceGroups", "alsoEmployees", "sharedSlotId")
    names += ("cancellationReason",)
    of_series = ("originalStartDate", "recurrence", "seriesId")
    of_v3 = {*names, *of_series} & set(schemas["Meeting"]["properties"])
    optional = {
        name: set(schemas[name]["properties"]) - set(schemas[name]["required"])
        for name in ("Meeting", "SlideTemplateDetails", "Employee", "Problem", "Content", "AvailableSlot")
    }
    assert optional == {
        "Meeting": {"portalId", "customFields", "externalAttendees", "cancelledAt"} | of_v3,
        "SlideTemplateDetails": set(),
        "Employee": {"provisioned"} & set(schemas["Employee"]["properties"]),
        "Problem": {"errors", "rule"},
        "Content": {"findings", "templates"},
        "AvailableSlot": {"additionalEmployees", "additionalEmployeeOptions", "seatsLeft"}
        & set(schemas["AvailableSlot"]["properties"]),
    }


@EACH_VERSION
def test_a_refusal_names_the_codes_that_its_status_may_have(document: Json) -> None:
    reserve = document["paths"][next(path for path in document["paths"] if path.endswith("/reserve"))]["post"]
    assert "`time_slot_taken`" in reserve["responses"]["409"]["description"]
    assert "`invalid_time`" in reserve["responses"]["400"]["description"]
    assert "`rendering_failed`" not in reserve["responses"]["400"]["description"]
    employees = document["paths"][next(path for path in document["paths"] if path.endswith("/employees"))]["get"]
    assert "description" not in employees["responses"]["400"], "no code of its own"


def test_an_operation_names_the_role_that_it_needs() -> None:
    paths = DOCUMENTS[Version.V3]["paths"]
    keys, rooms = paths["/api/v3/administration/keys"]["post"], paths["/api/v3/booking/rooms"]["get"]
    assert (keys["x-required-role"], "x-required-role" in rooms) == ("elevated", False)
    assert "the elevated role" in keys["description"]
    assert "`role_missing`" in keys["responses"]["403"]["description"]


@EACH_VERSION
def test_the_licence_and_the_tags_are_described(document: Json) -> None:
    assert document["info"]["license"]["name"] == "Apache-2.0"
    assert document["info"]["contact"]
    assert all(tag["description"] and re.fullmatch(r"[A-Z][a-z]+( [a-z]+)*", tag["name"]) for tag in document["tags"])


@EACH_VERSION
def test_everything_says_what_it_is(document: Json) -> None:
    """Of a member that fails here, write what it means: a docstring below it, or `Meta(description=…)`."""
    silent = [
        f"{name}: {member or 'itself'}"
        for name, schema in document["components"]["schemas"].items()
        for member, one in {"": schema, **schema.get("properties", {})}.items()
        if not one.get("description")
    ]
    for path, method, operation in operations_of(document):
        silent += [f"{method} {path}: {one['name']}" for one in operation["parameters"] if not one["description"]]
        for status, response in operation["responses"].items():
            told = {status: response, **response.get("headers", {})}
            silent += [f"{method} {path}: {name}" for name, one in told.items() if not one["description"]]
    assert not silent, silent


@EACH_VERSION
def test_every_body_has_an_example(document: Json) -> None:
    """Of an address that fails here, give `accepts(…)` an `example` that works as pasted with the demo data."""
    for path, method, operation in operations_of(document):
        for media_type, content in operation.get("requestBody", {"content": {}})["content"].items():
            assert "example" in content or media_type == "multipart/form-data", f"{method} {path}"


async def test_the_server_is_where_the_installation_says_that_it_is(api: Api) -> None:
    served = (await api.http.get("/api/v3/openapi.json")).json()
    assert [server["url"] for server in served["servers"]] == ["http://meetdeck.test"]
    assert DOCUMENTS[Version.V3]["servers"][0]["url"] == "/"


async def test_the_page_can_get_a_token_where_the_installation_issues_them(api: Api) -> None:
    served = (await api.http.get("/api/v3/openapi.json")).json()
    assert served["security"] == [{"token": [], "subscriptionKey": []}, {"client": [], "subscriptionKey": []}]
    flow = served["components"]["securitySchemes"]["client"]["flows"]["clientCredentials"]
    assert flow["tokenUrl"] == "http://meetdeck.test/oauth/token"
    assert "client" not in DOCUMENTS[Version.V3]["components"]["securitySchemes"]


def list_taken_structs() -> list[type[msgspec.Struct]]:
    """Return every Struct of a JSON body, those inside of them too."""
    handlers = [
        handler for route in make_routes().routes if isinstance(route, HTTPRoute) for handler in route.route_handlers
    ]
    found = [handler.opt["body"] for handler in handlers if is_struct(handler.opt.get("body"))]
    for struct in found:
        inside = [
            option for field in fields(struct) for kind in options_of(field.type) for option in (kind, *get_args(kind))
        ]
        found += [option for option in inside if is_struct(option) and option not in found]
    return found


@pytest.mark.parametrize("struct", dict.fromkeys(list_taken_structs()))
def test_null_is_taken_where_the_document_says_so_and_nowhere_else(struct: type[msgspec.Struct]) -> None:
    schemas = DOCUMENTS[Version.V3]["components"]["schemas"]
    schema = schemas.get(f"Given{struct.__name__}") or schemas[struct.__name__]
    for member, described in schema["properties"].items():
        is_documented = "null" in described.get("type", []) or {"type": "null"} in described.get("anyOf", [])
        assert is_null_taken(struct, member) == is_documented, member


async def test_a_body_that_may_be_left_out_may_be_null(api: Api) -> None:
    tuesday = datetime(2035, 3, 6, 9, tzinfo=UTC)
    booked = await api.book(
        employeeId=api.id_of("employee", "Anna Holm"),
        startDate=tuesday.isoformat(),
        endDate=(tuesday + timedelta(hours=1)).isoformat(),
    )
    address = f"v3/booking/meetings/{booked.json()['id']}/ical"
    assert (await api.post(address, None)).status_code == 200
    body = DOCUMENTS[Version.V3]["paths"]["/api/v3/booking/meetings/{meetingId}/ical"]["post"]["requestBody"]
    assert not body["required"]
    assert "null" in body["description"]
    assert (await api.post("v3/booking/config/employees", None)).status_code == 400


def is_null_taken(struct: type[msgspec.Struct], member: str) -> bool:
    try:
        read_json(msgspec.json.encode({member: None}), struct)
    except InvalidInput as refused:
        return f"/{member}" not in {fault.pointer for fault in refused.faults}
    return True
