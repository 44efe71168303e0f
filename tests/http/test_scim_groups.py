"""Groups of SCIM: competence groups or service groups as a directory writes them."""

from typing import Any

import pytest_asyncio

from meetdeck.platform.database import Database
from support.directories import Directory, error_of
from support.factories import Api
from support.meetings import ANNA, BO, CAMILLA, INVESTING
from support.searches import employees_of, search

GROUPS = "v3/booking/config/competence-groups"


@pytest_asyncio.fixture
async def directory(api: Api, database: Database) -> Directory:
    return await Directory.open(api, database)


async def read(api: Api, group: dict[str, Any]) -> dict[str, Any]:
    return (await api.get(f"{GROUPS}/{group['id']}")).raise_for_status().json()


async def test_members_of_a_group_are_its_advisors(api: Api, directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA, BO)
    assert {one["value"] for one in made["members"]} == {ANNA, BO}
    assert made["members"][0]["$ref"].endswith(f"/scim/v2/Users/{made['members'][0]['value']}")
    group = await read(api, made)
    assert (group["name"], set(group["employeeIds"]), group["provisioned"]) == ("Pensions", {ANNA, BO}, True)
    operations = [{"op": "add", "path": "/topicIds/-", "value": INVESTING}]
    assert (await api.request("PATCH", f"{GROUPS}/{made['id']}", json=operations)).status_code == 200
    without = employees_of(await search(api, topicId=INVESTING))
    await directory.patch(f"/Groups/{made['id']}", {"op": "Add", "path": "members", "value": [{"value": CAMILLA}]})
    assert (await read(api, made))["employeeIds"][-1] == CAMILLA
    assert employees_of(await search(api, topicId=INVESTING)) == without | {CAMILLA}


async def test_members_are_changed_as_entra_and_okta_change_them(api: Api, directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA)
    urn = "urn:ietf:params:scim:schemas:core:2.0:Group"
    steps: list[tuple[list[dict[str, Any]], set[str]]] = [
        ([{"op": "Add", "path": "members", "value": [{"value": BO}, {"value": CAMILLA}]}], {ANNA, BO, CAMILLA}),
        ([{"op": "Add", "path": "members", "value": [{"value": BO}]}], {ANNA, BO, CAMILLA}),
        ([{"op": "Remove", "path": "members", "value": [{"value": ANNA}, {"value": CAMILLA}]}], {BO}),
        ([{"op": "remove", "path": f'members[value eq "{BO}"]'}], set()),
        ([{"op": "remove", "path": f'members[value eq "{BO}"]'}], set()),
        ([{"op": "replace", "path": f"{urn}:members", "value": [{"value": ANNA}]}], {ANNA}),
        ([{"op": "add", "value": {"members": [{"value": BO}], "displayName": "Pension"}}], {ANNA, BO}),
        (
            [
                {"op": "Remove", "path": "members", "value": [{"value": ANNA}]},
                {"op": "Add", "path": "members", "value": [{"value": CAMILLA}]},
            ],
            {BO, CAMILLA},
        ),
        ([{"op": "Remove", "path": "members"}], set()),
    ]
    for operations, expected in steps:
        answer = await directory.patch(f"/Groups/{made['id']}", *operations)
        assert answer.status_code == 204, answer.text
        assert set((await read(api, made))["employeeIds"]) == expected, operations
    assert (await directory.get(f"/Groups/{made['id']}")).json()["displayName"] == "Pension"


async def test_a_wrong_change_of_a_group_changes_nothing(api: Api, directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA)
    await directory.create_group("Loans")
    unknown = "00000000-0000-0000-0000-000000000007"
    add = {"op": "add", "path": "members", "value": [{"value": BO}]}
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"op": "add", "path": "members", "value": [{"value": unknown}]}, 400, "invalidValue"),
        ({"op": "add", "path": "members", "value": [{"value": "bo"}]}, 400, "invalidValue"),
        ({"op": "add", "path": "members", "value": [7]}, 400, "invalidValue"),
        ({"op": "remove", "path": 'members[display co "b"]'}, 400, "invalidPath"),
        ({"op": "replace", "path": "displayName", "value": ""}, 400, "invalidValue"),
        ({"op": "remove", "path": "displayName"}, 400, "mutability"),
        ({"op": "replace", "path": "displayName", "value": "loans"}, 409, "uniqueness"),
    ]
    for operation, status, scim_type in wrong:
        answer = await directory.patch(f"/Groups/{made['id']}", add, operation)
        assert error_of(answer) == (status, scim_type), operation
    assert (await read(api, made))["employeeIds"] == [ANNA]
    assert error_of(await directory.send("POST", "/Groups", {"displayName": "PENSIONS"})) == (409, "uniqueness")
    assert error_of(await directory.send("POST", "/Groups", {"members": []}))[0] == 400


async def test_groups_are_found_by_filters_and_without_members(directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA, BO)
    for text, is_found in (
        ('displayName eq "pensions"', True),
        ('displayName sw "Pens" and id eq "{id}"', True),
        ('id eq "{id}" and members eq "{anna}"', True),
        ('id eq "{id}" and members[value eq "{camilla}"]', False),
        ('externalId eq "x"', False),
    ):
        wanted = text.format(id=made["id"], anna=ANNA, camilla=CAMILLA)
        found = (await directory.get("/Groups", filter=wanted, excludedAttributes="members")).json()["Resources"]
        assert [one["id"] for one in found] == ([made["id"]] if is_found else []), wanted
        assert not any("members" in one for one in found)
    whole = (await directory.get(f"/Groups/{made['id']}")).json()
    short = (await directory.get(f"/Groups/{made['id']}", excludedAttributes="members")).json()
    assert short == {key: value for key, value in whole.items() if key != "members"}


async def test_a_groups_version_is_of_its_members_too(directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA)
    path, add = f"/Groups/{made['id']}", {"op": "add", "path": "members", "value": [{"value": BO}]}
    assert (await directory.patch(path, add, headers={"If-Match": made["meta"]["version"]})).status_code == 204
    assert error_of(await directory.patch(path, add, headers={"If-Match": made["meta"]["version"]})) == (412, None)
    again = await directory.patch(path, add)
    assert again.headers["ETag"] == (await directory.get(path)).headers["ETag"]


async def test_a_put_and_a_delete_of_a_group(api: Api, directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA)
    body = {"displayName": "Pension", "externalId": "of Okta", "members": [{"value": BO}]}
    put = (await directory.send("PUT", f"/Groups/{made['id']}", body)).json()
    assert (put["displayName"], put["externalId"], [one["value"] for one in put["members"]]) == (
        "Pension",
        "of Okta",
        [BO],
    )
    assert (await directory.send("DELETE", f"/Groups/{made['id']}")).status_code == 204
    assert error_of(await directory.get(f"/Groups/{made['id']}")) == (404, None)
    assert (await api.get(f"{GROUPS}/{made['id']}")).status_code == 404


async def test_what_the_directory_owns_of_a_group_is_not_changed_by_the_api(api: Api, directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA)
    path = f"{GROUPS}/{made['id']}"
    for member, value in (("name", "Mine"), ("employeeIds", [BO])):
        operations = [{"op": "replace", "path": f"/{member}", "value": value}]
        refused = await api.request("PATCH", path, json=operations)
        assert (refused.status_code, refused.json()["code"]) == (409, "provisioned")
        assert [one["pointer"] for one in refused.json()["errors"]] == [f"/{member}"]
    for deed in ("add", "remove"):
        refused = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{deed}", json=[made["id"]])
        assert refused.json()["code"] == "provisioned"
    assert (await api.request("DELETE", path)).json()["code"] == "provisioned"
    labels = [{"op": "replace", "path": "/labels", "value": ["Directory"]}]
    assert (await api.request("PATCH", path, json=labels)).status_code == 200


async def test_a_firm_may_have_service_groups_written(api: Api, directory: Directory) -> None:
    setting = (await api.get("v3/booking/config/organization-settings")).json()
    assert setting["scimGroups"] == "CompetenceGroups"
    path = f"v3/booking/config/organization-settings/{setting['id']}"
    operations = [{"op": "replace", "path": "/scimGroups", "value": "ServiceGroups"}]
    assert (await api.request("PATCH", path, json=operations)).status_code == 200
    made = await directory.create_group("Private banking", ANNA)
    group = (await api.get(f"v3/booking/config/service-groups/{made['id']}")).json()
    assert (group["name"], group["employeeIds"], group["provisioned"]) == ("Private banking", [ANNA], True)
    assert (await api.get(f"{GROUPS}/{made['id']}")).status_code == 404


async def test_an_ended_user_is_no_member(directory: Directory) -> None:
    made = await directory.create_group("Pensions", ANNA, BO)
    await directory.send("DELETE", f"/Users/{ANNA}")
    group = (await directory.get(f"/Groups/{made['id']}")).json()
    assert [one["value"] for one in group["members"]] == [BO]
    answer = await directory.patch(
        f"/Groups/{made['id']}", {"op": "add", "path": "members", "value": [{"value": ANNA}]}
    )
    assert error_of(answer) == (400, "invalidValue")
