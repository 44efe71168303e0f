"""The collection for Postman and Bruno: every operation, with requests that work as they stand."""

import json
import re
from collections.abc import Iterator

import pytest

from meetdeck.platform.http.openapi import make_collection
from meetdeck.platform.values import Version
from support.documents import EACH_VERSION, Json, operations_of
from support.factories import Api

_NOT_HERE = {"no_picture", "renderer_unavailable"}
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
            assert json.loads(made["request"]["body"]["raw"]) == bodies[0]


@EACH_VERSION
def test_requests_keep_the_ids_of_what_they_create_and_only_that_is_deleted_at_the_end(document: Json) -> None:
    kept: set[str] = set()
    for folder in make_collection(document, "https://meetdeck.test")["item"]:
        methods = [one["request"]["method"] for one in folder["item"]]
        deletions = methods.count("DELETE")
        assert methods[len(methods) - deletions :] == ["DELETE"] * deletions, folder["name"]
        for one in folder["item"]:
            kept |= {*re.findall(r"set\('(\w+)', pm.response.json\(\)\.\w+\)", json.dumps(one.get("event", [])))}
            if one["request"]["method"] == "DELETE":
                places = {place["key"]: place["value"] for place in one["request"]["url"]["variable"]}
                assert places == {name: f"{{{{{name}}}}}" for name in places}
    assert {"meetingId", "employeeId", "contentId"} <= kept


@pytest.mark.parametrize("version", list(Version))
async def test_its_requests_work_with_the_key_and_a_token(version: Version, api: Api) -> None:
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
    sent = 0
    for one in (one for one in requests if one["request"]["method"] == "GET"):
        address = find_address(one["request"], variables)
        headers = {each["key"]: fill(each["value"], variables) for each in one["request"]["header"]}
        if not _UNSET.search(address):
            found = await api.http.get(address, headers=headers | {"Authorization": f"Bearer {variables['TOKEN']}"})
            assert found.is_success or found.json()["code"] in _NOT_HERE, f"{address}: {found.text}"
            sent += 1
    assert sent > (50 if version is Version.V3 else 10)
