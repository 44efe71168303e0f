"""Entity tags, `If-Match` and `If-None-Match` (docs/api/changes.md, docs/api/templates.md; RFC 9110, section 13)."""

import asyncio

import httpx
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from support.factories import Api

TEMPLATE = "v3/present/templates/Annual review"


async def upload(api: Api, name: str, **headers: str) -> httpx.Response:
    parts = {"file": ("a.pptx", TEMPLATE_FILE.read_bytes()), "name": (None, name), "category": (None, "")}
    return await api.request("POST", "v3/present/templates", files=parts, headers=headers)


@pytest.mark.parametrize("path", [TEMPLATE, "v2/present/templates/Annual review", "v3/booking/employees/{anna}"])
async def test_what_has_not_changed_is_not_sent_again(api: Api, path: str) -> None:
    path = path.format(anna=api.id_of("employee", "Anna Holm"))
    first = await api.get(path)
    tag = first.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await api.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert (await api.get(path, headers={"If-None-Match": '"other"'})).status_code == 200


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_list_that_has_not_changed_is_not_sent_again(api: Api, version: str) -> None:
    api = await api.of(api.firm, elevated=True)
    document = (await api.http.get(f"/api/{version}/openapi.json")).json()
    asked = {
        "isCustomer": "true",
        "q": "pension",
        "employeeId": api.id_of("employee", "Anna Holm"),
        "employeeIds": api.id_of("employee", "Anna Holm"),
        "date": "2026-03-03",
        "from": "2026-03-02",
        "to": "2026-03-08",
        "count": "booked",
    }
    lists = [
        path.removeprefix("/api/")
        for path, item in document["paths"].items()
        if "304" in item.get("get", {}).get("responses", {})
        and not any(sign in path for sign in ("{", "vacancies", "audit", "events"))
    ]
    assert f"{version}/booking/employees" in lists
    for path in lists:
        first = await api.request("GET", path, params=asked)
        tag = first.headers["ETag"]
        assert (path, first.status_code, first.headers["Cache-Control"]) == (path, 200, "private, no-cache")
        again = await api.request("GET", path, params=asked, headers={"If-None-Match": tag})
        assert (path, again.status_code, again.content, again.headers["ETag"]) == (path, 304, b"", tag)
        assert again.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", ["v3/booking/meetings", "v3/booking/meetings?pageSize=1", "v2/booking/time-slots"])
async def test_a_list_that_is_streamed_or_in_pages_has_no_tag(api: Api, path: str) -> None:
    answer = await api.get(path, headers={"If-None-Match": "*"})
    assert (answer.status_code, "ETag" in answer.headers, answer.headers["Cache-Control"]) == (200, False, "no-store")


async def test_a_list_is_sent_again_when_one_of_its_items_changed(api: Api) -> None:
    employees, anna = "v3/booking/employees", api.id_of("employee", "Anna Holm")
    before = await api.get(employees)
    known = {"If-None-Match": before.headers["ETag"]}
    changed = await api.request("PUT", f"v3/booking/config/employees/{anna}", json={"name": "Anna Friis"})
    assert changed.status_code == 200
    after = await api.get(employees, headers=known)
    assert (after.status_code, {each["name"] for each in after.json()} >= {"Anna Friis"}) == (200, True)
    assert after.headers["ETag"] != before.headers["ETag"]


async def test_the_tag_of_a_list_leads_nobody_into_another_firms(api: Api) -> None:
    tag = (await api.get("v3/booking/employees")).headers["ETag"]
    answer = await (await api.other()).get("v3/booking/employees", headers={"If-None-Match": tag})
    assert answer.status_code == 200


async def test_what_is_refused_or_made_is_never_unchanged(api: Api) -> None:
    any_state = {"If-None-Match": "*"}
    assert (await api.get("v3/booking/meeting-topics", headers=any_state)).status_code == 400
    assert (await api.http.get("/api/v3/booking/employees", headers=any_state)).status_code == 401
    assert (await api.get("v3/booking/config/service-groups/employee/x", headers=any_state)).status_code == 404
    groups = f"v3/booking/config/competence-groups/employee/{api.id_of('employee', 'Anna Holm')}/add"
    answer = await api.request("PATCH", groups, json=[], headers=any_state)
    assert (answer.status_code, "ETag" in answer.headers) == (200, False)


async def test_a_change_gives_another_tag(api: Api) -> None:
    before = (await api.get(TEMPLATE)).headers["ETag"]
    uploaded = await upload(api, "Annual review")
    after = await api.get(TEMPLATE)
    assert after.headers["ETag"] == uploaded.headers["ETag"] != before


async def test_a_stale_deletion_is_refused_and_deletes_nothing(api: Api) -> None:
    tag = (await api.get(TEMPLATE)).headers["ETag"]
    await upload(api, "Annual review")
    current = (await api.get(TEMPLATE)).headers["ETag"]
    for stale in (tag, f"W/{tag}", "nonsense"):
        refused = await api.request("DELETE", TEMPLATE, headers={"If-Match": stale})
        assert (refused.status_code, refused.json()["code"]) == (412, "stale")
        assert refused.headers["ETag"] == current
    assert (await api.request("DELETE", TEMPLATE, headers={"If-Match": current})).status_code == 200
    assert (await api.get(TEMPLATE)).status_code == 404


async def test_an_upload_that_must_be_new_does_not_replace(api: Api) -> None:
    refused = await upload(api, "Annual review", **{"If-None-Match": "*"})
    assert (refused.status_code, refused.json()["code"]) == (412, "template_exists")
    assert (await api.get(TEMPLATE)).json()["revision"] == 1
    assert (await upload(api, "New", **{"If-None-Match": "*"})).status_code == 201


async def test_of_two_new_uploads_at_once_one_is_new(api: Api) -> None:
    answers = await asyncio.gather(*(upload(api, "Race", **{"If-None-Match": "*"}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 412, 412, 412]
