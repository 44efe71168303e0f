"""Users of SCIM: employees as a directory writes them, in Entra's manner."""

from typing import Any

import httpx
import pytest_asyncio

from meetdeck.platform.database import Database
from support.directories import ENTERPRISE, Directory, error_of
from support.factories import Api
from support.meetings import ANNA, book
from support.searches import search

MAIL = "ida.berg@nordlys.example"
IDA: dict[str, Any] = {
    "externalId": "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    "displayName": "Ida Berg",
    "name": {"formatted": "Ida Berg", "givenName": "Ida", "familyName": "Berg"},
    "title": "Advisor",
    "preferredLanguage": "da-DK",
    "emails": [{"primary": True, "type": "work", "value": MAIL}],
    "phoneNumbers": [{"type": "mobile", "value": "+45 20 30 40 50"}],
}


@pytest_asyncio.fixture
async def directory(api: Api, database: Database) -> Directory:
    return await Directory.open(api, database)


async def read(api: Api, employee_id: str) -> dict[str, Any]:
    return (await api.get(f"v3/booking/employees/{employee_id}")).raise_for_status().json()


async def test_a_user_becomes_an_employee(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    assert IDA.items() <= made.items()
    employee = await read(api, made["id"])
    expected = {
        "name": "Ida Berg",
        "email": MAIL,
        "phone": "+45 20 30 40 50",
        "title": "Advisor",
        "active": True,
        "externalId": IDA["externalId"],
        "firstName": "Ida",
        "lastName": "Berg",
        "provisioned": True,
    }
    assert expected.items() <= employee.items()
    read_again = await directory.get(f"/Users/{made['id']}")
    assert read_again.json() == made
    assert read_again.headers["ETag"] == made["meta"]["version"]
    assert made["meta"]["location"].endswith(f"/scim/v2/Users/{made['id']}")


async def test_an_advisor_of_the_directory_is_offered_and_a_leaver_is_not(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)

    async def list_offered() -> list[Any]:
        return await search(api, explicitEmployeeIds=made["id"])

    assert await list_offered()
    answer = await directory.patch(f"/Users/{made['id']}", {"op": "Replace", "path": "active", "value": "False"})
    assert (answer.status_code, answer.json()["active"]) == (200, False)
    assert not await list_offered()
    await directory.patch(f"/Users/{made['id']}", {"op": "Replace", "path": "active", "value": "True"})
    assert await list_offered()


async def test_a_leaver_keeps_the_meetings(api: Api, directory: Directory) -> None:
    anna, meeting = ANNA, await book(api)
    assert (await directory.send("DELETE", f"/Users/{anna}")).status_code == 204
    assert (await directory.get(f"/Users/{anna}")).status_code == 404
    kept = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert kept == meeting
    assert (await read(api, anna))["active"] is False


async def test_users_are_all_employees_whoever_made_them(api: Api, directory: Directory) -> None:
    anna = await read(api, api.id_of("employee", "Anna Holm"))
    found = await directory.find(anna["email"].upper())
    assert found is not None
    assert (found["id"], found["displayName"], found["active"]) == (anna["id"], "Anna Holm", True)
    assert "provisioned" not in anna
    answer = await directory.send("POST", "/Users", {"userName": anna["email"]})
    assert error_of(answer) == (409, "uniqueness")
    patched = await directory.patch(
        f"/Users/{anna['id']}", {"op": "Add", "path": "externalId", "value": "of the directory"}
    )
    assert patched.status_code == 200
    now = await read(api, anna["id"])
    assert now == {**anna, "externalId": "of the directory", "provisioned": True}


async def test_an_ended_user_is_taken_up_again(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    assert (await directory.send("DELETE", f"/Users/{made['id']}")).status_code == 204
    assert await directory.find(MAIL) is None
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        answer = await directory.send(method, f"/Users/{made['id']}", {"userName": MAIL, "Operations": []})
        assert answer.status_code in {404, 400}
    again = await directory.create_user(MAIL.upper(), displayName="Ida Lund")
    assert (again["id"], again["displayName"]) == (made["id"], "Ida Lund")
    assert (await directory.get(f"/Users/{made['id']}")).json() == again
    assert (await read(api, made["id"]))["active"] is True


PATCHES: list[tuple[list[dict[str, Any]], dict[str, Any]]] = [
    ([{"op": "Replace", "path": "displayName", "value": "Ida Lund"}], {"name": "Ida Lund"}),
    ([{"op": "replace", "path": 'emails[type eq "work"].value', "value": "x@y.example"}], {"email": "x@y.example"}),
    ([{"op": "Add", "path": 'phoneNumbers[type eq "work"].value', "value": "+45 1"}], {"phone": "+45 1"}),
    ([{"op": "REMOVE", "path": 'phoneNumbers[type eq "mobile"].value'}], {"phone": ""}),
    ([{"op": "Add", "path": f"{ENTERPRISE}:manager", "value": "7"}], {}),
    (
        [{"op": "replace", "value": {"name.givenName": "Idun", "active": "False"}}],
        {"firstName": "Idun", "active": False},
    ),
    ([{"op": "add", "value": {'emails[type eq "work"].value': "x@y.example"}}], {"email": "x@y.example"}),
    ([{"op": "replace", "value": {f"{ENTERPRISE}:department": "Loans", "title": "Head"}}], {"title": "Head"}),
    ([{"op": "Replace", "path": "name.familyName", "value": "Lund"}], {"lastName": "Lund"}),
    ([{"op": "Remove", "path": "title"}], {"title": ""}),
    (
        [{"op": "add", "path": "title", "value": "A"}, {"op": "add", "path": "nickName", "value": "I"}],
        {"title": "A"},
    ),
]
"""Operations as Entra sends them, and what differs of the employee afterwards."""


async def test_a_patch_of_entra_is_understood(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    before = await read(api, made["id"])
    for operations, expected in PATCHES:
        answer = await directory.patch(f"/Users/{made['id']}", *operations)
        assert answer.status_code == 200, answer.text
        assert await read(api, made["id"]) == {**before, **expected}, operations
        await directory.send("PUT", f"/Users/{made['id']}", {"userName": MAIL, **IDA})


async def test_a_filtered_patch_creates_what_is_absent(directory: Directory) -> None:
    made = await directory.create_user("ida")
    path = 'emails[type eq "work"].value'
    answer = await directory.patch(f"/Users/{made['id']}", {"op": "Replace", "path": path, "value": MAIL})
    assert answer.json()["emails"] == [{"type": "work", "value": MAIL}]


async def test_of_several_operations_all_or_none_happen(directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    answer = await directory.patch(
        f"/Users/{made['id']}",
        {"op": "replace", "path": "title", "value": "Head"},
        {"op": "replace", "path": "active", "value": "perhaps"},
    )
    assert error_of(answer) == (400, "invalidValue")
    assert (await directory.get(f"/Users/{made['id']}")).json() == made


WRONG_PATCHES: list[tuple[dict[str, Any], str]] = [
    ({"op": "replace", "path": "id", "value": "7"}, "mutability"),
    ({"op": "remove", "path": "userName"}, "mutability"),
    ({"op": "replace", "path": "a b[", "value": "7"}, "invalidPath"),
    ({"op": "replace", "path": "title", "value": {"a": 1}}, "invalidValue"),
    ({"op": "replace", "path": "displayName", "value": "x" * 300}, "invalidValue"),
    ({"op": "replace", "path": 'emails[type eq "work"].value', "value": "nobody"}, "invalidValue"),
    ({"op": "replace", "path": "title", "value": "\0"}, "invalidValue"),
    ({"op": "replace", "path": 'emails[type co "q"].value', "value": "x@y.z"}, "noTarget"),
    ({"op": "remove"}, "noTarget"),
    ({"op": "jump", "path": "title", "value": "7"}, "invalidValue"),
]


async def test_a_wrong_patch_is_refused_by_its_kind(directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    for operation, scim_type in WRONG_PATCHES:
        answer = await directory.patch(f"/Users/{made['id']}", operation)
        assert error_of(answer) == (400, scim_type), operation
    assert (await directory.get(f"/Users/{made['id']}")).json() == made


FILTERS: list[tuple[str, bool]] = [
    (f'userName eq "{MAIL}"', True),
    (f'USERNAME Eq "{MAIL.upper()}"', True),
    ('userName sw "ida.b"', True),
    ('userName co "RG@nord"', True),
    ('userName co "%"', False),
    ('userName sw "ida_b"', False),
    (f'externalId eq "{IDA["externalId"]}"', True),
    (f'externalId eq "{IDA["externalId"].upper()}"', False),
    (f'emails[type eq "work"].value eq "{MAIL}"', True),
    (f'emails[type eq "home"].value eq "{MAIL}"', False),
    (f'emails.value eq "{MAIL}"', True),
    ('phoneNumbers[type eq "mobile"].value co "20 30"', True),
    ('displayName eq "ida berg" and active eq true', True),
    ('displayName eq "ida berg" and active eq false', False),
    ('name.familyName eq "Berg" and title sw "adv"', True),
    (f'userName eq "{MAIL}" and externalId eq "another"', False),
]
"""Filters, and whether they find Ida."""


async def test_filters_find_users(directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    for text, is_found in FILTERS:
        found = (await directory.get("/Users", filter=text)).json()
        expected = [made["id"]] if is_found else []
        assert [one["id"] for one in found["Resources"]] == expected, text
        assert found["totalResults"] == len(expected)


WRONG_FILTERS = [
    "userName",
    "userName eq",
    'nothing eq "x"',
    'title eq "a" or title eq "b"',
    'not (title eq "a")',
    "title pr",
    'meta.lastModified gt "2026-01-01T00:00:00Z"',
    'userName eq "' + "(" * 5_000,
    "(" * 20_000,
]


async def test_other_filters_are_refused(directory: Directory) -> None:
    for text in WRONG_FILTERS:
        assert error_of(await directory.get("/Users", filter=text)) == (400, "invalidFilter"), text[:40]


async def test_pages_have_each_user_once(directory: Directory) -> None:
    whole = (await directory.get("/Users")).json()
    ids = [one["id"] for one in whole["Resources"]]
    assert whole["totalResults"] == len(ids) > 4
    paged: list[str] = []
    while len(paged) < len(ids):
        page = (await directory.get("/Users", startIndex=len(paged) + 1, count=3)).json()
        assert page["totalResults"] == len(ids)
        paged += [one["id"] for one in page["Resources"]]
    assert paged == ids
    assert (await directory.get("/Users", count=0)).json()["totalResults"] == len(ids)


async def test_a_change_needs_the_version_that_was_read(directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    path, stale = f"/Users/{made['id']}", {"If-Match": made["meta"]["version"]}
    change = {"op": "replace", "path": "title", "value": "Head"}
    changed = await directory.patch(path, change, headers=stale)
    assert changed.headers["ETag"] != made["meta"]["version"]
    assert error_of(await directory.patch(path, change, headers=stale)) == (412, None)
    assert error_of(await directory.send("DELETE", path, headers=stale)) == (412, None)
    known = {"If-None-Match": changed.headers["ETag"]}
    assert (await directory.send("GET", path, headers=known)).status_code == 304


async def test_a_put_replaces_what_the_directory_wrote(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    answer = await directory.send("PUT", f"/Users/{made['id']}", {"userName": MAIL, "displayName": "Ida Lund"})
    assert answer.status_code == 200
    assert "title" not in answer.json()
    employee = await read(api, made["id"])
    assert (employee["name"], employee["title"], employee["email"]) == ("Ida Lund", "", MAIL)


async def test_two_users_have_no_name_or_address_in_common(directory: Directory) -> None:
    await directory.create_user(MAIL, **IDA)
    other = await directory.create_user("other@nordlys.example")
    assert error_of(await directory.send("POST", "/Users", {"userName": MAIL.upper()})) == (409, "uniqueness")
    same_mail = {"userName": "third", "emails": [{"value": MAIL}]}
    assert error_of(await directory.send("POST", "/Users", same_mail)) == (409, "uniqueness")
    for path in ("userName", 'emails[type eq "work"].value'):
        answer = await directory.patch(f"/Users/{other['id']}", {"op": "replace", "path": path, "value": MAIL})
        assert error_of(answer) == (409, "uniqueness")


async def test_what_the_directory_owns_is_not_changed_by_the_api(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    path = f"v3/booking/config/employees/{made['id']}"
    employee = await read(api, made["id"])
    refused = await api.request("PUT", path, json={**employee, "title": "Head", "active": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "provisioned")
    assert {one["pointer"] for one in refused.json()["errors"]} == {"/title", "/active"}
    assert (await api.request("DELETE", path)).json()["code"] == "provisioned"
    own = await api.request("PUT", path, json={**employee, "location": "Aarhus", "initials": "IB"})
    assert (own.status_code, own.json()["location"], own.json()["provisioned"]) == (200, "Aarhus", True)
    assert (await api.request("GET", path.replace("v3", "v2"))).json().keys() & {"provisioned"} == set()


async def test_a_firm_sees_no_users_of_another(api: Api, database: Database, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    other = await Directory.open(await api.other(), database)
    assert await other.find(MAIL) is None
    assert (await other.get(f"/Users/{made['id']}")).status_code == 404
    assert (await other.create_user(MAIL, **IDA))["id"] != made["id"]


async def test_an_address_that_leads_nowhere_is_answered_by_scim(directory: Directory) -> None:
    for path in ("/Nothing", "/Users/a/b", f"/Users/{'0' * 8}", "/Schemas/none", "/ResourceTypes/none"):
        assert error_of(await directory.get(path)) == (404, None)
    assert error_of(await directory.send("DELETE", "/Users"))[0] == 405
    assert error_of(await directory.send("POST", "/Bulk", {}))[0] == 501


async def test_a_wrong_body_is_refused(directory: Directory) -> None:
    headers = {"Content-Type": "application/scim+json"}
    for body in (b"", b"[]", b"null", b"{", b'{"userName": 7}', b"[" * 100_000, b'"\xff"'):
        for method, path in (("POST", "/Users"), ("POST", "/Groups"), ("PATCH", f"/Users/{ANNA}")):
            answer = await directory.send(method, path, content=body, headers=headers)
            assert error_of(answer)[0] == 400, body[:9]


async def test_the_services_description_is_readable(directory: Directory) -> None:
    config = (await directory.get("/ServiceProviderConfig")).json()
    assert (config["patch"]["supported"], config["bulk"]["supported"], config["filter"]["supported"]) == (
        True,
        False,
        True,
    )
    types = (await directory.get("/ResourceTypes")).json()
    assert [one["endpoint"] for one in types["Resources"]] == ["/Users", "/Groups"]
    schemas = (await directory.get("/Schemas")).json()
    assert {one["name"] for one in schemas["Resources"]} == {"User", "Group"}


async def test_without_its_token_nobody_is_served(api: Api, directory: Directory) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eA=="}, api.headers):
        answer = await api.http.get("/scim/v2/Users", headers=headers)
        assert error_of(answer) == (401, None)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    token = {"Authorization": f"Bearer {directory.token}"}
    assert (await api.http.get("/api/v3/booking/employees", headers=token)).status_code == httpx.codes.UNAUTHORIZED


async def test_the_audit_log_names_the_directory(api: Api, directory: Directory) -> None:
    made = await directory.create_user(MAIL, **IDA)
    await directory.patch(f"/Users/{made['id']}", {"op": "replace", "path": "title", "value": "Head"})
    elevated = await api.of(api.firm, elevated=True)
    entries = (await elevated.get("v3/audit-log", params={"kind": "employees"})).json()["items"]
    told = [(one["action"], one["userName"]) for one in entries if one["resourceId"] == made["id"]]
    assert sorted(told) == [("changed", "Entra"), ("created", "Entra")]
