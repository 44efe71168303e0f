"""Files that nobody needs leave the storage; files that somebody needs, or might still need, stay."""

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from pptx import Presentation
from prometheus_client import REGISTRY

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import Principal
from meetdeck.platform.storage import Storage
from meetdeck.platform.work import Leases
from meetdeck.present.compiled import compiled_version
from meetdeck.present.render.renderer import MissingRenderer, RendererUnavailable
from meetdeck.present.sweeping.service import Sweeper, SweepReport
from meetdeck.services import Services
from support.factories import Api, make_services, make_settings
from support.fakes import HandClock
from support.s3_server import S3Server

VERSION = "0123456789abcdef"


def make_template(text: str) -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


async def upload(api: Api, content: bytes, name: str = "Welcome") -> None:
    parts = {"file": ("welcome.pptx", content), "name": (None, name), "category": (None, "Private")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.is_success, answer.text


async def store(api: Api, content: bytes = b"any") -> str:
    answer = await api.request("POST", "v3/present/contents", files={"file": ("any.bin", content)})
    return answer.raise_for_status().json()["contentId"]


async def download(api: Api, content_id: str) -> bytes:
    return (await api.get(f"v3/present/contents/{content_id}")).raise_for_status().content


@pytest.fixture
def clock() -> HandClock:
    """Lend a clock that shows the storage's time."""
    return HandClock(datetime.now(UTC))  # noqa: TID251 - what is stored has the machine's time


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.thorough)])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """Lend a storage of each kind."""
    if request.param == "folder":
        return Storage.open(url=None, folder=tmp_path / "storage")
    s3: S3Server = request.getfixturevalue("s3")
    return s3.open_storage()


@pytest.fixture
def template(migrated: str) -> str:
    """Name an empty database: the demo firms' files come into the storage at hand."""
    return migrated


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path, storage: Storage) -> AsyncGenerator[Services]:
    """Lend the application's parts on that storage."""
    parts = Services.open(make_settings(tmp_path), database, storage, MissingRenderer(), clock)
    async with aclosing(parts) as services:
        yield services


async def get_version() -> str:
    return VERSION


@pytest_asyncio.fixture
async def sweeper(api: Api, database: Database, storage: Storage) -> Sweeper:
    """Lend a sweeper of an installation with the demo firms, each with its template."""
    del api  # which loaded them
    return Sweeper(database, storage, get_rendering_version=get_version, rendering_lifetime=timedelta(days=1))


async def keys_of(storage: Storage, folder: str = str(NORDLYS.tenant_id)) -> set[str]:
    return {file.key async for page in storage.list_pages(folder) for file in page}


async def test_what_rows_name_is_kept(api: Api, services: Services, sweeper: Sweeper, clock: HandClock) -> None:
    await upload(api, make_template("Hello {{name}}"))
    content_id = await store(api, b"kept")
    await services.background.wait()
    assert await sweeper.sweep(clock() + timedelta(hours=25)) == SweepReport(
        kept=5
    )  # two demo templates, ours with its compiled form, the content
    assert await download(api, content_id) == b"kept"
    deck = await api.post(
        "v3/present/slides", {"template": "Welcome", "slides": [{"slideId": "Slide 1", "data": {"name": "Ole"}}]}
    )
    assert deck.status_code == 200


async def test_earlier_revisions_are_kept_and_a_deleted_template_takes_its_files_along(
    api: Api, services: Services, sweeper: Sweeper, storage: Storage, clock: HandClock
) -> None:
    before = await keys_of(storage)
    for text in ("Hello {{name}}", "Dear {{name}}"):
        await upload(api, make_template(text))
        await services.background.wait()
    later = clock() + timedelta(days=2)
    assert (await sweeper.sweep(later)).files == 1  # the earlier revision's compiled form
    (await api.request("DELETE", "v3/present/templates/Welcome")).raise_for_status()
    assert (await sweeper.sweep(later)).files == 3
    assert await keys_of(storage) == before


async def test_a_file_whose_row_never_came_is_kept_for_a_day_and_then_swept(
    services: Services, sweeper: Sweeper, storage: Storage, clock: HandClock
) -> None:
    user = Principal(NORDLYS.tenant_id, uuid4())
    stray = await services.contents.store(user.tenant_id, b"x" * 10, file_name="a", content_type="b", now=clock())
    assert await sweeper.sweep(clock() + timedelta(hours=23)) == SweepReport(kept=3)
    assert await sweeper.sweep(clock() + timedelta(hours=25)) == SweepReport(files=1, size_bytes=10, kept=2)
    assert stray.file_key not in await keys_of(storage)
    assert await sweeper.sweep(clock() + timedelta(hours=25)) == SweepReport(kept=2)


@pytest.mark.own_database
async def test_a_transaction_that_fails_leaves_a_file_without_a_row_and_never_a_row_without_its_file(
    api: Api, owner: Connection, database: Database, storage: Storage, sweeper: Sweeper, clock: HandClock
) -> None:
    before = await keys_of(storage)
    await owner.execute("alter table content add constraint refused check (false) not valid")
    with pytest.raises(AssertionError):
        assert (await api.request("POST", "v3/present/contents", files={"file": ("a", b"a")})).is_success
    assert len(await keys_of(storage) - before) == 1
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from content") == 0
    await sweeper.sweep(clock() + timedelta(days=2))
    assert await keys_of(storage) == before


async def test_expired_contents_go_with_their_files_once_their_last_readers_are_gone(
    api: Api, database: Database, sweeper: Sweeper, clock: HandClock
) -> None:
    await store(api, b"12345")
    assert await sweeper.sweep(clock() + timedelta(hours=24, minutes=59)) == SweepReport(kept=3)
    later = clock() + timedelta(hours=25, minutes=1)
    assert await sweeper.sweep(later) == SweepReport(files=1, size_bytes=5, contents=1, kept=2)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from content") == 0


async def test_a_dry_run_tells_and_deletes_nothing(
    api: Api, storage: Storage, sweeper: Sweeper, clock: HandClock
) -> None:
    await store(api, b"12345")
    before = await keys_of(storage)
    later, told = clock() + timedelta(days=3), SweepReport(files=1, size_bytes=5, contents=1, kept=2)
    assert [await sweeper.sweep(later, dry_run=True) for _ in range(2)] == [told, told]
    assert await keys_of(storage) == before
    assert await sweeper.sweep(later) == told


async def test_one_file_uploaded_twice_is_two_files_and_each_goes_alone(
    api: Api, sweeper: Sweeper, clock: HandClock
) -> None:
    await store(api, b"same")
    clock.advance(hours=20)
    api = await api.of(NORDLYS)
    second = await store(api, b"same")
    assert (await sweeper.sweep(clock() + timedelta(hours=6))).files == 1
    assert await download(api, second) == b"same"


async def test_what_can_be_made_again_is_kept_for_templates_as_they_are_now_and_as_this_version_makes_it(
    storage: Storage, sweeper: Sweeper, clock: HandClock, owner: Connection
) -> None:
    await owner.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
    digest: str = (await owner.fetchval("select digest from template_revision")).hex()
    drawn, compiled = (f"{NORDLYS.tenant_id}/{folder}" for folder in ("renderings", "compiled"))
    kept = {f"{drawn}/{VERSION}/{digest}/slides.pdf", f"{compiled}/{compiled_version()}/{digest}/template"}
    gone = {
        f"{drawn}/{VERSION}/{'0' * 64}/page-1-1280x720.png",
        f"{drawn}/fedcba9876543210/{digest}/slides.pdf",
        f"{compiled}/{compiled_version()}/{'0' * 64}/template",
        f"{compiled}/{VERSION}/{digest}/template",
    }
    for key in kept | gone:
        await storage.put(key, b"made")
    assert (await sweeper.sweep(clock() + timedelta(hours=23))).files == 0
    assert (await sweeper.sweep(clock() + timedelta(hours=25))).files == len(gone)
    assert {key for key in await keys_of(storage) if "/renderings/" in key or "/compiled/" in key} == kept


async def test_without_a_renderer_nothing_drawn_for_a_current_template_is_taken_for_outdated(
    api: Api, database: Database, storage: Storage, clock: HandClock, owner: Connection
) -> None:
    async def find_none() -> str:
        raise RendererUnavailable("no LibreOffice")

    del api
    sweeper = Sweeper(database, storage, get_rendering_version=find_none, rendering_lifetime=timedelta(days=1))
    await owner.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
    digest: str = (await owner.fetchval("select digest from template_revision")).hex()
    kept = f"{NORDLYS.tenant_id}/renderings/any/{digest}/slides.pdf"
    await storage.put(kept, b"drawn")
    await sweeper.sweep(clock() + timedelta(days=9))
    assert kept in await keys_of(storage)


async def test_what_is_not_ours_is_left_alone(storage: Storage, sweeper: Sweeper, clock: HandClock) -> None:
    stranger = uuid4()
    keys = {
        f"{stranger}/files/{uuid4()}",  # a tenant that the database does not know: it may be the wrong database
        f"{stranger}/ab/{'ab' * 32}",
        f"{NORDLYS.tenant_id}/exports/a.csv",  # a folder that we do not know
        f"{NORDLYS.tenant_id.hex}/files/{uuid4()}",  # no tenant as we write them
        "backups/meetdeck.dump",
    }
    for key in keys:
        await storage.put(key, b"x")
    swept = await sweeper.sweep(clock() + timedelta(days=100))
    assert swept == SweepReport(kept=3, unknown_tenants=1)  # both firms' templates, and the export
    found = [await storage.find(key) for key in keys]
    assert found == [b"x"] * len(keys)


async def test_files_from_before_each_row_had_its_own_are_kept_while_a_row_names_them(
    storage: Storage, sweeper: Sweeper, clock: HandClock, owner: Connection
) -> None:
    old, stray = (f"{NORDLYS.tenant_id}/{name[:2]}/{name}" for name in ("ab" * 32, "cd" * 32))
    await storage.put(old, b"shared")
    await storage.put(stray, b"stray")
    await owner.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
    await owner.execute("update template_revision set file_key = $1", old)
    assert (await sweeper.sweep(clock() + timedelta(days=2))).files == 2  # the stray, and what the row named before
    assert await storage.find(old) == b"shared"
    assert await storage.find(stray) is None


async def test_one_tenant_at_a_time_is_swept_by_one_process_and_never_by_anothers_rows(
    api: Api, database: Database, storage: Storage, sweeper: Sweeper, clock: HandClock
) -> None:
    fjord = await api.of(FJORD)
    await store(fjord, b"f")
    (await api.request("DELETE", "v3/present/templates/Annual review")).raise_for_status()
    later = clock() + timedelta(days=2)
    async with Leases(database).hold(NORDLYS.tenant_id, "sweep"):
        assert await sweeper.sweep(later) == SweepReport(files=1, size_bytes=1, contents=1, kept=1, busy_tenants=1)
    assert (await sweeper.sweep(later)).files == 1
    assert await keys_of(storage, str(NORDLYS.tenant_id)) == set()
    assert len(await keys_of(storage, str(FJORD.tenant_id))) == 1


@pytest.mark.thorough
async def test_more_files_than_a_page_are_swept_at_once_and_counted(
    storage: Storage, sweeper: Sweeper, clock: HandClock
) -> None:
    for number in range(1_100):
        await storage.put(f"{NORDLYS.tenant_id}/files/{number}", b"x")
    counted = REGISTRY.get_sample_value("meetdeck_swept_files_total") or 0
    assert (await sweeper.sweep(clock() + timedelta(days=2))).files == 1_100
    assert len(await keys_of(storage)) == 1
    assert REGISTRY.get_sample_value("meetdeck_swept_files_total") == counted + 1_100


@pytest.mark.own_database
async def test_a_sweep_that_fails_waits_for_the_next_time(
    sweeper: Sweeper, storage: Storage, clock: HandClock, owner: Connection
) -> None:
    stray = f"{NORDLYS.tenant_id}/files/{uuid4()}"
    await storage.put(stray, b"x")
    clock.advance(days=2)
    await owner.execute("alter table template_revision rename to elsewhere")
    running = asyncio.create_task(sweeper.run(clock, first_seconds=0, every_seconds=0.05))
    await asyncio.sleep(0.3)
    assert await storage.find(stray) == b"x"
    await owner.execute("alter table elsewhere rename to template_revision")
    await asyncio.sleep(1)
    assert await storage.find(stray) is None
    running.cancel()
    await asyncio.wait([running])


async def test_what_a_killed_upload_left_in_a_folder_is_swept(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    async with aclosing(make_services(database, clock, tmp_path, MissingRenderer())) as services, Api.open(services):
        left = tmp_path / "storage" / str(NORDLYS.tenant_id) / "files" / f"{uuid4()}#1"
        left.write_bytes(b"half")
        storage = Storage.open(url=None, folder=tmp_path / "storage")
        sweeper = Sweeper(database, storage, get_rendering_version=get_version, rendering_lifetime=timedelta(days=1))
        assert (await sweeper.sweep(clock() + timedelta(hours=23))).files == 0
        assert (await sweeper.sweep(clock() + timedelta(hours=25))).files == 1
    assert not left.exists()
