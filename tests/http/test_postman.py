"""The collection for Postman and Bruno: every operation, with requests that work as they stand.

The requests are sent by these tests. newman, Postman's own runner, would bring 151 packages to do the same: fill
variables in, send, and keep an id.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.platform.http.openapi import make_collection
from meetdeck.platform.values import Version
from support.documents import EACH_VERSION, Json, operations_of
from support.factories import Api

_NOT_HERE = {
    "renderer_unavailable": {"slides/pdf", "slides/picture"},
    "no_picture": {"employees/picture"},
    "already_exists": {"config/employee-schedules"},
    "method_not_allowed": {"booking/time-slots"},
    "content_not_found": {"present/contents"},
}
"""The refusals of requests that need what the demo data has not: an employee without a schedule, a picture.

In v2 only the portal gives a time back, with its token; the content is deleted with the meeting's deck."""
_NEEDS_AN_ID = {"room-vacancies", "organization-settings", "closing-days", "employee-schedules", "message-texts"}
"""The addresses with variables that no earlier request sets."""
_KEPT = r"set\('(\w+)', pm.response.json\(\)\.(\w+)\)"
_UNSET = re.compile(r"\{\{\w+\}\}")


def list_requests(collection: Json) -> Iterator[Json]:
    for folder in collection["item"]:
        yield from folder.get("item", [folder])


def fill(text: str, variables: dict[str, str]) -> str:
    """Return a text with its variables, as Postman fills them in; those that are not set stay."""
    return _UNSET.sub(lambda found: variables.get(found[0][2:-2]) or found[0], text)


def find_address(request: Json, variables: dict[str, str]) -> str:
    url = request["url"]
    places = {one["key"]: one["value"] for one in url["variable"]}
    path = "/".join(places.get(part[1:], part) if part.startswith(":") else part for part in url["path"])
    query = "&".join(f"{one['key']}={one['value']}" for one in url["query"] if not one["disabled"])
    return fill("/".join([*url["host"], path]) + (f"?{query}" if query else ""), variables)


@EACH_VERSION
def test_a_collection_has_every_operation_with_body_and_answer(document: Json) -> None:
    collection = make_collection(document, "https://meetdeck.test/bank")
    assert collection["info"]["schema"].endswith("/v2.1.0/collection.json")
    assert collection["variable"][0]["value"].startswith("https://meetdeck.test/bank/api/v")
    requests = [*list_requests(collection)]
    assert len(requests) == sum(1 for _ in operations_of(document))
    told = {variable["key"] for variable in collection["variable"]}
    assert {name[2:-2] for name in _UNSET.findall(json.dumps(requests))} <= told
    by_name = {(one["name"], one["request"]["method"]): one for one in requests}
    for _, method, operation in operations_of(document):
        made = by_name[operation["summary"], method.upper()]
        answers = [one for key, one in operation["responses"].items() if key.startswith("2")]
        examples = [
            one["example"] for answer in answers for one in answer.get("content", {}).values() if "example" in one
        ]
        assert [json.loads(one["body"]) for one in made["response"]] == examples
        bodies = [one.get("example") for one in operation.get("requestBody", {}).get("content", {}).values()]
        if made["request"].get("body", {}).get("mode") == "raw":
            body: Any = json.loads(made["request"]["body"]["raw"])
            members = cast("Json", body) if isinstance(body, dict) else {}
            ids = {name: value for name, value in members.items() if value == f"{{{{{name}}}}}"}
            assert body == (bodies[0] | ids if ids else bodies[0])


@EACH_VERSION
def test_a_request_says_what_it_needs_that_no_other_sets(document: Json) -> None:
    requests = [*list_requests(make_collection(document, "https://meetdeck.test"))]
    for one in requests:
        if one["request"].get("body", {}).get("mode") == "formdata":
            assert "Choose a file first." in one["request"]["description"]
    told = [one for one in requests if "first: no other request does." in one["request"]["description"]]
    assert all(_UNSET.search(json.dumps(one["request"]["url"])) for one in told)
    if any("organization-settings" in path for path in document["paths"]):
        assert any("Set `settingId` first" in one["request"]["description"] for one in told)


@EACH_VERSION
def test_requests_keep_the_ids_of_what_they_create_and_only_that_is_deleted_at_the_end(document: Json) -> None:
    *folders, last = make_collection(document, "https://meetdeck.test")["item"]
    methods = {one["request"]["method"] for folder in folders for one in folder["item"]}
    assert "DELETE" not in methods
    assert {one["request"]["method"] for one in last["item"]} == {"DELETE"}
    for one in last["item"]:
        places = {place["key"]: place["value"] for place in one["request"]["url"]["variable"]}
        assert all(_UNSET.fullmatch(value) for value in places.values()), places
    kept = {name for name, _ in re.findall(_KEPT, json.dumps(folders))}
    assert {"meetingId", "employeeId", "contentId", "timeSlotId"} <= kept
    assert len(kept & {"groupId", "competenceGroupId", "serviceGroupId"}) in {0, 2}  # two kinds of groups


@pytest.mark.thorough
@pytest.mark.parametrize("version", list(Version))
async def test_nearly_all_requests_work_in_order_with_the_ids_of_earlier_ones(version: Version, api: Api) -> None:
    collection = (await api.http.get(f"/api/{version}/postman.json")).json()
    variables = {one["key"]: one["value"] for one in collection["variable"]}
    tenant = next(one for one in api.credentials.tenants if one.tenant_id == api.firm.tenant_id)
    get_token, *requests = list_requests(collection)
    variables |= {"KEY": tenant.subscription_key, "CLIENT_ID": tenant.clients[1].client_id}
    variables |= {"CLIENT_SECRET": tenant.clients[1].client_secret}
    form = {one["key"]: fill(one["value"], variables) for one in get_token["request"]["body"]["urlencoded"]}
    answer = await api.http.post(get_token["request"]["url"]["raw"], data=form)
    assert "TOKEN" in get_token["event"][0]["script"]["exec"][0]
    variables["TOKEN"] = answer.json()["access_token"]
    refused = [f"{one['name']}: {told}" for one in requests if (told := await send(api, one, variables))]
    assert refused == []


async def send(api: Api, one: Json, variables: dict[str, str]) -> str:
    """Send a request and keep the id that its answer has; return an unexpected refusal."""
    request, address = one["request"], find_address(one["request"], variables)
    if _UNSET.search(address):
        unset = [part for part in request["url"]["path"] if part in _NEEDS_AN_ID]
        return "" if unset else f"{address} is not known"
    headers = {each["key"]: fill(each["value"], variables) for each in request["header"]}
    body = request.get("body", {"mode": ""})
    sent: Json = {"content": fill(body["raw"], variables)} if body["mode"] == "raw" else {}
    if body["mode"] == "formdata":
        sent = {"files": {"file": ("review.pptx", TEMPLATE_FILE.read_bytes())}}
    headers |= {"Authorization": f"Bearer {variables['TOKEN']}"}
    answer = await api.http.request(request["method"], address, headers=headers, **sent)
    if answer.is_success:
        for name, member in re.findall(_KEPT, json.dumps(one.get("event", []))):
            if answer.status_code < 202:
                variables[name] = answer.json()[member]
        return ""
    places = "/".join(part for part in request["url"]["path"] if not part.startswith(":"))
    is_known = any(places.endswith(each) for each in _NOT_HERE.get(answer.json()["code"], ()))
    return "" if is_known else f"{request['method']} {address}: {answer.text}"
