"""The API's documents: whole, consistent, and true to what the addresses do."""

import json
import re
from typing import Any, cast

import pytest

from meetdeck.platform.values import Version
from support.documents import DOCUMENTS, EACH_VERSION, Json, follow, operations_of, walk
from support.factories import Api


@pytest.mark.parametrize("version", list(Version))
async def test_each_version_serves_its_document(version: Version, api: Api) -> None:
    served = (await api.http.get(f"/api/{version}/openapi.json")).json()
    assert (served["openapi"], served["info"]["title"]) == ("3.1.0", f"Meetdeck API {version}")
    assert served["paths"] == DOCUMENTS[version]["paths"]
    assert all(path.startswith(f"/api/{version}/") for path in served["paths"])


_TYPES = {"null", "boolean", "object", "array", "number", "string", "integer"}


@EACH_VERSION
def test_a_document_is_small_enough_for_editors_and_assistants(document: Json) -> None:
    assert len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()) < 500_000


@EACH_VERSION
def test_every_reference_leads_somewhere(document: Json) -> None:
    references = [node["$ref"] for node in walk(document) if isinstance(node.get("$ref"), str)]
    assert len(references) > 50
    for reference in references:
        target: Any = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in target, reference
            target = target[step]


@EACH_VERSION
def test_every_operation_has_its_own_id_a_summary_and_a_description(document: Json) -> None:
    ids = [operation["operationId"] for _, _, operation in operations_of(document)]
    assert sorted(ids) == sorted(set(ids))
    assert all(operation["summary"] and operation["description"] for _, _, operation in operations_of(document))


@EACH_VERSION
def test_every_parameter_of_a_query_says_what_it_does(document: Json) -> None:
    for path, _, operation in operations_of(document):
        for parameter in operation["parameters"]:
            assert parameter["in"] != "query" or parameter["description"], f"{path}: {parameter['name']}"


def test_a_parameter_that_may_be_left_out_is_not_said_to_be_null() -> None:
    document = DOCUMENTS[Version.V3]
    operation = follow(document["paths"]["/api/v3/booking/time-slots/available"]["get"], document)
    schemas = {parameter["name"]: parameter["schema"] for parameter in operation["parameters"]}
    assert schemas["startDate"] == {"type": "string", "format": "date-time"}
    assert schemas["token"] == {"type": "string", "format": "uuid"}
    assert schemas["meetingTypes"]["type"] == "array"
    assert schemas["requireRoom"] == {"type": "boolean", "default": False}


@EACH_VERSION
def test_no_text_is_indented_which_the_page_would_show_as_code(document: Json) -> None:
    texts = [node["description"] for node in walk(document) if isinstance(node.get("description"), str)]
    assert not [text for text in texts if "\n  " in text]


@EACH_VERSION
def test_what_is_a_date_and_time_says_so(document: Json) -> None:
    schemas = document["components"]["schemas"]
    for schema, member in (("Meeting", "startDate"), ("Meeting", "cancelledAt"), ("AvailableSlot", "endDate")):
        assert schemas[schema]["properties"][member]["format"] == "date-time"
    if "updatedAt" in schemas["SlideTemplate"]["properties"]:
        assert schemas["SlideTemplate"]["properties"]["updatedAt"]["format"] == "date-time"
    until = schemas["ListedTimeSlot"]["properties"]["expiresAt"]
    assert (until["type"], until["format"]) == (["string", "null"], "date-time")


@EACH_VERSION
def test_every_operation_is_behind_token_and_key(document: Json) -> None:
    assert document["security"] == [{"token": [], "subscriptionKey": []}]
    assert set(document["components"]["securitySchemes"]) == {"token", "subscriptionKey"}
    for _, _, operation in operations_of(document):
        assert "security" not in operation
        assert {"- 401: ", "- 403: "} <= set(re.findall("- 4..: ", operation["responses"]["default"]["description"]))


# Addresses to which nothing is to be added.
_SAY_ALL = ("/calendar-feed", "/read", "/rotate", "/secrets", "/test", "/undo")


@EACH_VERSION
def test_every_operation_is_described_as_openapi_wants_it(document: Json) -> None:
    for path, method, operation in operations_of(document):
        named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path)), path
        assert any(200 <= int(status) < 300 for status in operation["responses"]), path
        for response in operation["responses"].values():
            assert response["description"]
            assert all("schema" in content for content in response.get("content", {}).values())
        for parameter in operation["parameters"]:
            assert parameter["in"] in {"path", "query", "header"}
            assert parameter.get("required", False) in {True, False}
            assert parameter["schema"]
        if method in {"post", "put", "patch"}:
            has_query = any(one["in"] == "query" for one in operation["parameters"])
            assert "requestBody" in operation or has_query or path.endswith(_SAY_ALL), path
        else:
            assert "requestBody" not in operation, path


@EACH_VERSION
def test_every_schema_is_a_json_schema(document: Json) -> None:
    schemas = document["components"]["schemas"]
    for schema in walk(schemas):
        if isinstance(schema.get("type"), str) and "properties" not in schema.get("properties", {}):
            assert schema["type"] in _TYPES, schema
        elif isinstance(schema.get("type"), list):
            assert set(cast("list[str]", schema["type"])) < _TYPES, schema
    for name, schema in schemas.items():
        if "properties" in schema:
            assert set(schema.get("required", [])) <= set(schema["properties"]), name


@EACH_VERSION
def test_errors_are_documented_as_problems(document: Json) -> None:
    problem = document["components"]["schemas"]["Problem"]
    assert {"code", "detail", "requestId", "errors"} <= set(problem["properties"])
    for _, _, operation in operations_of(document):
        refusals = {status: response for status, response in operation["responses"].items() if status >= "400"}
        assert {"400", "404", "default"} <= set(refusals)
        assert all(list(response["content"]) == ["application/problem+json"] for response in refusals.values())


def test_defaults_are_said_as_they_go_over_the_wire() -> None:
    schemas = DOCUMENTS[Version.V3]["components"]["schemas"]
    assert schemas["GivenServiceLevel"]["properties"]["bufferAfter"]["description"].endswith("Default `00:00:00`.")
    assert schemas["SaveTopic"]["properties"]["durationMinutes"]["description"].endswith("Default `60`.")
    assert "Default `true`." in schemas["SaveRoom"]["properties"]["available"]["description"]


@EACH_VERSION
def test_a_member_of_a_body_has_no_default_which_generators_take_for_a_member_that_is_required(document: Json) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert not [member for member, one in schema.get("properties", {}).items() if "default" in one], name


def test_enumerations_are_in_the_order_of_the_contracts() -> None:
    schemas = DOCUMENTS[Version.V3]["components"]["schemas"]
    assert schemas["MeetingType"]["enum"] == ["Physical", "Online", "Telephone", "Offsite"]
    assert schemas["BookedBy"]["enum"] == ["Employee", "Customer", "PortalPartner", "PortalCustomer"]


@EACH_VERSION
def test_the_values_of_an_enumeration_are_of_its_type(document: Json) -> None:
    kinds = {"string": str, "integer": int}
    for name, schema in document["components"]["schemas"].items():
        assert all(type(value) is kinds[schema["type"]] for value in schema.get("enum", [])), name


def test_what_only_v3_has_is_not_in_v2s_document() -> None:
    v2, v3 = (DOCUMENTS[version]["components"]["schemas"]["SlideTemplate"]["properties"] for version in Version)
    assert set(v2) == {"uri", "name", "customerType", "tenantId", "ownerId"}
    assert {"id", "revision", "updatedAt"} <= set(v3)


async def test_every_documented_address_is_there(api: Api) -> None:
    for document in DOCUMENTS.values():
        for path, method, _ in operations_of(document):
            address = re.sub(r"{\w+}", "00000000-0000-0000-0000-000000000000", path)
            answer = await api.http.request(method, address)
            assert answer.status_code == 401, f"{method} {path}"


@EACH_VERSION
def test_headers_that_count_are_named_where_they_count(document: Json) -> None:
    for path, method, operation in operations_of(document):
        headers = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"}
        assert ("Idempotency-Key" in headers) >= ("201" in operation["responses"]), path
        assert ("If-Match" in headers) == (method in {"patch", "put", "delete"}), path
        replaces = {"200", "201"} <= set(operation["responses"])
        assert ("If-None-Match" in headers) == ("304" in operation["responses"] or replaces), path
        assert ("412" in operation["responses"]) == ("If-Match" in headers or replaces), path


def test_what_an_address_answers_is_all_there() -> None:
    paths = follow(DOCUMENTS[Version.V3]["paths"], DOCUMENTS[Version.V3])
    deck = paths["/api/v3/present/slides"]["post"]["responses"]["200"]
    assert set(deck["headers"]) == {"Deck-Findings", "Deck-Templates"}
    pdf = paths["/api/v3/present/slides/pdf"]["post"]["responses"]["200"]
    assert set(pdf["content"]) == {"application/pdf", "application/json"}
    template = paths["/api/v3/present/templates/{name}"]
    assert "ETag" in template["get"]["responses"]["200"]["headers"]
    assert set(template["delete"]["responses"]["200"]) == {"description"}
    download = paths["/api/v3/present/contents/{contentId}"]["get"]
    assert {"200", "206", "304", "416"} <= set(download["responses"])
    assert {"Range", "If-Range", "If-None-Match"} <= {parameter["name"] for parameter in download["parameters"]}
    upload = paths["/api/v3/present/templates"]["post"]["responses"]
    assert set(upload["201"]["headers"]) == set(upload["200"]["headers"]) == {"ETag", "Location"}


def test_the_page_begins_with_decks() -> None:
    assert [tag["name"] for tag in DOCUMENTS[Version.V3]["tags"]][:3] == ["Templates", "Decks", "Contents"]


@EACH_VERSION
def test_every_heading_has_its_place(document: Json) -> None:
    named = {tag for _, _, operation in operations_of(document) for tag in operation["tags"]}
    assert named == {tag["name"] for tag in document["tags"]}


@EACH_VERSION
def test_examples_of_refusals_are_problems_of_their_status(document: Json) -> None:
    for _, _, operation in operations_of(document):
        for status, response in operation["responses"].items():
            if "400" <= status <= "599":
                assert "`code`" in response["description"]
                require_problem(status, response["content"]["application/problem+json"]["example"])
        others = operation["responses"]["default"]["content"]["application/problem+json"]["examples"]
        assert {*others} == {"401", "403", "429", "503"}
        for status, example in others.items():
            require_problem(status, example["value"])


def require_problem(status: str, example: Json) -> None:
    assert (str(example["status"]), example["type"]) == (status, f"urn:meetdeck:problem:{example['code']}")
