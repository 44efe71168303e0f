"""Entity tags, `If-Match` and `If-None-Match` (docs/api.md 7, 12; RFC 9110, section 13)."""

import asyncio

import httpx
import pytest

from factories import Api
from meetdeck.demo.seed import TEMPLATE_FILE

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


async def test_a_change_gives_another_tag(api: Api) -> None:
    before = (await api.get(TEMPLATE)).headers["ETag"]
    uploaded = await upload(api, "Annual review")
    after = await api.get(TEMPLATE)
    assert after.headers["ETag"] == uploaded.headers["ETag"] != before


async def test_a_stale_deletion_is_refused_and_deletes_nothing(api: Api) -> None:
    tag = (await api.get(TEMPLATE)).headers["ETag"]
    await upload(api, "Annual review")
    for stale in (tag, f"W/{tag}", "nonsense"):
        refused = await api.request("DELETE", TEMPLATE, headers={"If-Match": stale})
        assert (refused.status_code, refused.json()["code"]) == (412, "stale")
    current = (await api.get(TEMPLATE)).headers["ETag"]
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
