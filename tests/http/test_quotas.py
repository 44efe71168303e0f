"""A tenant's quota of storage holds exactly, also for concurrent uploads; callers can delete contents."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock

KIB = 1024
DECK = TEMPLATE_FILE.read_bytes()


@asynccontextmanager
async def limited(
    database: Database, clock: HandClock, folder: Path, *, more_bytes: int = 0, templates: int = 0
) -> AsyncGenerator[Api]:
    """Lend the API with a quota of so many bytes above what the demo firm has stored."""
    quotas = {"quota_bytes": len(DECK) + more_bytes if more_bytes else 0, "quota_templates": templates}
    async with (
        aclosing(make_services(database, clock, folder, MissingRenderer(), **quotas)) as services,
        Api.open(services) as api,
    ):
        yield api


async def upload(api: Api, size: int) -> httpx.Response:
    return await api.post("v3/present/contents", files={"file": ("a.bin", bytes(size))})


async def upload_template(api: Api, name: str) -> httpx.Response:
    sent = {"files": {"file": ("a.pptx", DECK)}, "data": {"name": name, "category": "Private"}}
    return await api.post("v3/present/templates", **sent)


def require_full(answer: httpx.Response, words: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (507, "quota_exceeded")
    assert words in answer.json()["detail"]
    assert answer.headers["Content-Type"] == "application/problem+json"


def count_files(folder: Path) -> int:
    return len([path for path in (folder / "storage").rglob("files/*") if path.is_file()])


async def test_a_full_quota_is_507_leaves_nothing_behind_and_what_is_deleted_makes_room(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with limited(database, clock, tmp_path, more_bytes=100 * KIB) as api:
        kept = [await upload(api, 50 * KIB) for _ in range(2)]
        assert [answer.status_code for answer in kept] == [201, 201]
        files = count_files(tmp_path)
        require_full(await upload(api, 1), "this needs 1 more")
        require_full(await upload_template(api, "Another"), "bytes")
        assert count_files(tmp_path) == files
        assert (await upload(await api.other(), 1)).status_code == 201  # of another tenant
        path = f"v3/present/contents/{kept[0].json()['contentId']}"
        assert (await api.request("DELETE", path)).status_code == 204
        assert (await upload(api, 50 * KIB)).status_code == 201
        require_full(await upload(api, 1), "this needs 1 more")


async def test_what_expired_makes_room_when_it_is_swept(database: Database, clock: HandClock, tmp_path: Path) -> None:
    quotas = {"quota_bytes": len(DECK) + 10 * KIB}
    async with (
        aclosing(make_services(database, clock, tmp_path, MissingRenderer(), **quotas)) as services,
        Api.open(services) as api,
    ):
        assert (await upload(api, 10 * KIB)).status_code == 201
        clock.advance(hours=26)
        await services.sweeper.sweep(clock())
        assert (await upload(await api.of(api.firm), 10 * KIB)).status_code == 201


async def test_the_quota_holds_exactly_however_many_upload_at_once_by_two_servers(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with (
        limited(database, clock, tmp_path, more_bytes=100 * KIB) as api,
        limited(database, clock, tmp_path, more_bytes=100 * KIB) as beside,
    ):
        answers = await asyncio.gather(*(upload(one, 9 * KIB) for one in (api, beside) * 20))
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [201] * 11 + [507] * 29
        assert count_files(tmp_path) == 11 + 2  # the template of each firm


async def test_a_quota_of_templates_counts_names_and_not_revisions(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with limited(database, clock, tmp_path, templates=2) as api:
        answers = await asyncio.gather(*(upload_template(api, f"Template {number}") for number in range(3)))
        assert sorted(answer.status_code for answer in answers) == [201, 507, 507]
        require_full(next(one for one in answers if one.status_code == 507), "2 templates")
        assert (await upload_template(api, "Annual review")).status_code == 200
        assert (await api.request("DELETE", "v3/present/templates/Annual%20review")).status_code == 200
        assert (await upload_template(api, "Another")).status_code == 201


@pytest.mark.parametrize(("own", "status"), [(0, 201), (1, 507), (10**12, 201), (None, 507)])
async def test_a_tenants_own_quota_goes_before_the_installations(
    own: int | None, status: int, database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with limited(database, clock, tmp_path, more_bytes=1) as api:
        async with database.transaction(api.firm.tenant_id) as connection:
            await connection.execute("update tenant set quota_bytes = $1", own)
        assert (await upload(api, 10)).status_code == status


async def test_what_is_counted_is_what_is_there(api: Api, database: Database) -> None:
    for size in (1, 20, 300):
        kept = await upload(api, size)
    await upload_template(api, "Twice")
    await upload_template(api, "Twice")
    await upload_template(api, "Gone")
    await api.request("DELETE", "v3/present/templates/Gone")
    await api.request("DELETE", f"v3/present/contents/{kept.json()['contentId']}")
    assert await read_usage(database, api) == {"stored_bytes": 3 * len(DECK) + 21, "templates": 2}
    assert await read_usage(database, await api.other()) == {"stored_bytes": len(DECK), "templates": 1}


async def read_usage(database: Database, api: Api) -> dict[str, Any]:
    async with database.transaction(api.firm.tenant_id) as connection:
        return dict(await connection.fetchrow("select stored_bytes, templates from tenant_usage") or {})


# ----------------------------------------------------------------------------------------------------------- deleting


async def test_a_deleted_content_is_gone_with_its_file_and_its_link(api: Api, tmp_path: Path) -> None:
    for version in ("v2", "v3"):
        kept = (await upload(api, 1000)).json()
        path = f"{version}/present/contents/{kept['contentId']}"
        files = count_files(tmp_path)
        answer = await api.request("DELETE", path)
        assert (answer.status_code, answer.content) == (204, b"")
        assert count_files(tmp_path) == files - 1
        for gone in (await api.get(path), await api.request("DELETE", path), await api.http.get(kept["downloadUrl"])):
            assert (gone.status_code, gone.json()["code"]) == (404, "content_not_found")


async def test_a_generated_deck_is_deleted_likewise(api: Api) -> None:
    made = await api.post("v3/present/slides/generate", {"template": "Annual review", "data": {}})
    path = f"v3/present/contents/{made.json()['contentId']}"
    assert (await api.request("DELETE", path)).status_code == 204
    assert (await api.get(path)).status_code == 404


async def test_a_content_of_another_tenant_and_one_that_expired_are_not_there_to_be_deleted(
    api: Api, clock: HandClock
) -> None:
    kept = (await upload(api, 1000)).json()
    path = f"v3/present/contents/{kept['contentId']}"
    assert (await (await api.other()).request("DELETE", path)).status_code == 404
    assert (await api.get(path)).status_code == 200
    clock.advance(hours=25)
    assert (await (await api.of(api.firm)).request("DELETE", path)).status_code == 404


async def test_a_content_is_deleted_as_the_caller_knows_it(api: Api) -> None:
    kept = (await upload(api, 1000)).json()
    path = f"v3/present/contents/{kept['contentId']}"
    tag = (await api.get(path)).headers["ETag"]
    assert (await api.request("DELETE", path, headers={"If-Match": '"other"'})).status_code == 412
    assert (await api.request("DELETE", path, headers={"If-Match": tag})).status_code == 204


async def test_the_documents_say_where_a_quota_may_be_full(api: Api) -> None:
    paths = (await api.http.get("/api/v3/openapi.json")).json()["paths"]
    full = {
        (path.rpartition("/v3")[2], method)
        for path, operations in paths.items()
        for method, operation in operations.items()
        if "507" in operation.get("responses", {})
    }
    assert {path for path, _ in full} == {
        "/present/contents",
        "/present/slides/generate",
        "/present/slides/pdf",
        "/present/templates",
    }
    assert {method for _, method in full} == {"post"}
