"""`meetdeck backup` and `restore`, on databases of the test's own (docs/operations/backup.md)."""

import gzip
import zlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from uuid import UUID

import pytest
import pytest_asyncio

from meetdeck.administration.archives import reading
from meetdeck.administration.archives.packing import Packer
from meetdeck.administration.archives.schemas import ArchiveKind, FileTotals, Manifest
from meetdeck.administration.archives.snapshots import open_snapshot
from meetdeck.administration.archives.writing import ArchiveWriter
from meetdeck.administration.backups.backup import back_up, check
from meetdeck.administration.backups.keys import require_room_for_keys
from meetdeck.administration.backups.restore import Target, read_backup, restore
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations import Schema, check_schema, migrate
from meetdeck.migrations.steps import BASE
from meetdeck.platform.database import Address, Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import take_data_folder
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.sending_hold import find_hold
from meetdeck.platform.storage import Storage
from meetdeck.services import Services
from support.archives import dump_rows, hash_files
from support.databases import copy_database
from support.factories import Api, make_settings
from support.fakes import MONDAY_MORNING
from support.filled_firms import fill

TENANTS = (NORDLYS.tenant_id, FJORD.tenant_id)
KEY, OTHER_KEY = bytes(range(7, 39)).hex(), "9d41c7e2a05b3f8816d274ea9b1fc3057ee8204b6da1935cf7482b0e91dc6a53"


@dataclass
class Place:
    """An installation without a server: owner's address, application's address, settings, storage."""

    owner: Address
    application: Address
    settings: Settings
    storage: Storage

    @classmethod
    def of(cls, addresses: tuple[Address, Address], folder: Path) -> "Place":
        folder.mkdir(exist_ok=True)
        return cls(*addresses, make_settings(folder), Storage.open(url=None, folder=folder / "storage"))

    async def back_up(self, path: Path, *, with_keys: bool = True) -> None:
        await back_up(self.settings, self.application, self.storage, path, NoProgress(), with_keys=with_keys)

    async def restore(self, path: Path, *, held_since: datetime | None = None) -> None:
        manifest = read_backup(path, NoProgress())
        await restore(Target(self.settings, self.owner, self.storage, held_since), path, manifest, NoProgress())

    async def find_hold(self) -> datetime | None:
        async with Database(self.application, connections=1) as database, database.outside_tenants() as connection:
            return await find_hold(connection)


@pytest_asyncio.fixture
async def place(api: Api, database: Database, addresses: tuple[Address, Address], tmp_path: Path) -> Place:
    """Lend an installation in which both demo firms have rows in every table."""
    for firm in (NORDLYS, FJORD):
        await fill(api, firm, database)
    return Place.of(addresses, tmp_path)


@pytest_asyncio.fixture
async def empty(postgres: Endpoint, tmp_path: Path) -> AsyncGenerator[Place]:
    """Lend an empty installation."""
    async with copy_database(postgres, "template0") as addresses:
        yield Place.of(addresses, tmp_path / "another")


async def test_every_row_and_every_file_comes_back(place: Place, empty: Place, tmp_path: Path) -> None:
    owner = await place.owner.connect()
    reached = await owner.fetchval("select nextval('event_sequence')")
    await owner.close()
    await place.back_up(tmp_path / "b.tar.gz")
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o777 == 0o600
    await empty.restore(tmp_path / "b.tar.gz")

    rows = await dump_rows(empty.owner, TENANTS)
    assert rows == await dump_rows(place.owner, TENANTS)
    assert [table for table, found in rows.items() if not found] == []
    files = hash_files(place.settings.data_dir / "storage")
    assert len(files) == 4
    assert hash_files(empty.settings.data_dir / "storage") == files
    for name in ("encryption-key", "issuer-key.json", "dev-credentials.json"):
        restored = empty.settings.data_dir / name
        assert restored.read_text() == (place.settings.data_dir / name).read_text()
        assert restored.stat().st_mode & 0o777 == 0o600
    async with Database(empty.application, connections=1) as database, database.transaction(NORDLYS.tenant_id) as app:
        new = await app.fetchval(
            "insert into resource (tenant_id, resource_id) values (current_tenant(), gen_random_uuid())"
            " returning resource_key"
        )
        assert new > await app.fetchval("select max(resource_key) from resource where resource_key <> $1", new)
        assert await app.fetchval("select nextval('event_sequence')") > reached


async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    postgres: Endpoint, empty: Place, tmp_path: Path
) -> None:
    async with copy_database(postgres, "template0") as addresses:
        await migrate(addresses[0], to=BASE)
        old = Place.of(addresses, tmp_path / "old")
        connection = await old.application.connect()
        async with connection.transaction():
            await connection.execute(f"select set_config('meetdeck.tenant', '{UUID(int=7)}', true)")
            await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Old')")
            await connection.execute(
                "insert into subscription_key (tenant_id, digest) values (current_tenant(), sha256('k'))"
            )
        await connection.close()
        await old.back_up(tmp_path / "old.tar.gz")
    await empty.restore(tmp_path / "old.tar.gz", held_since=MONDAY_MORNING)
    assert await check_schema(empty.owner) is Schema.CURRENT
    assert await empty.find_hold() == MONDAY_MORNING
    assert len((await dump_rows(empty.owner, [UUID(int=7)]))["tenant"]) == 1


@pytest.mark.parametrize(("revision", "said"), [("0065", "the last version before 1.0"), ("9999", "or a newer one")])
def test_a_backup_at_a_schema_that_is_not_known_says_which_version_restores_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str, said: str
) -> None:
    manifest = Manifest(ArchiveKind.BACKUP, 1, "0.1", revision, MONDAY_MORNING, {}, [], {}, [], FileTotals(), 0, "")

    def verify(*_: object) -> Manifest:
        return manifest

    monkeypatch.setattr(reading, "verify", verify)
    with pytest.raises(SetupError, match=said):
        read_backup(tmp_path / "b.tar.gz", NoProgress())


async def test_a_restored_copy_is_held_when_asked_and_a_backup_of_it_is_not(
    place: Place, empty: Place, postgres: Endpoint, tmp_path: Path
) -> None:
    await place.back_up(tmp_path / "b.tar.gz")
    await empty.restore(tmp_path / "b.tar.gz", held_since=MONDAY_MORNING)
    assert await empty.find_hold() == MONDAY_MORNING
    assert (await dump_rows(empty.owner, TENANTS))["job"] == (await dump_rows(place.owner, TENANTS))["job"] != []
    await empty.back_up(tmp_path / "of-the-copy.tar.gz")
    async with copy_database(postgres, "template0") as addresses:
        third = Place.of(addresses, tmp_path / "third")
        await third.restore(tmp_path / "of-the-copy.tar.gz")
        assert await third.find_hold() is None


async def test_files_that_are_deleted_meanwhile_are_in_the_backup(
    place: Place, api: Api, services: Services, tmp_path: Path
) -> None:
    stored = await api.request("POST", "v3/present/contents", files={"file": ("a.bin", b"deleted meanwhile")})
    address = f"v3/present/contents/{stored.json()['contentId']}"
    before = hash_files(tmp_path / "storage")
    async with open_snapshot(place.application) as snapshot:
        with BytesIO() as target, ArchiveWriter(target, at=0) as writer:
            assert (await api.request("DELETE", address)).status_code == 204
            assert hash_files(tmp_path / "storage") == before
            swept = await services.sweeper.sweep(services.clock().replace(year=2040))
            assert swept.files == 0
            packer = Packer(writer, snapshot, place.storage, NoProgress())
            await packer.fill(dict.fromkeys(TENANTS, ()))
            files = packer.describe(ArchiveKind.BACKUP, {}).files
            assert (files.files, files.missing, files.changed) == (5, 0, 0)
    swept = await services.sweeper.sweep(services.clock().replace(year=2040))
    assert swept.files > 0  # the next sweep makes up for it


async def test_a_file_that_the_storage_lost_is_named_and_the_rest_is_kept(place: Place, tmp_path: Path) -> None:
    files = hash_files(tmp_path / "storage")
    lost, changed, *_ = files
    (tmp_path / "storage" / lost).unlink()
    (tmp_path / "storage" / changed).write_bytes(b"something else")
    await place.back_up(tmp_path / "b.tar.gz")
    report = check(tmp_path / "b.tar.gz", lambda _: None)
    assert (report.files, report.missing_files, report.changed_files) == (len(files) - 1, 1, 1)


def is_same(altered: bytes, whole: bytes) -> bool:
    """Return whether a file has the content of another: some bits of DEFLATE only fill up a byte (RFC 1951, 3.2.4)."""
    try:
        return gzip.decompress(altered) == gzip.decompress(whole)
    except (OSError, EOFError, zlib.error):
        return False


async def test_a_backup_that_was_cut_or_altered_is_refused_before_anything_is_changed(
    place: Place, empty: Place, tmp_path: Path
) -> None:
    await place.back_up(tmp_path / "b.tar.gz")
    whole = (tmp_path / "b.tar.gz").read_bytes()
    spoiled = {"empty": b"", "no-archive": b"PK" * 1000, "longer": whole + b"more"}
    spoiled |= {f"cut-{part}": whole[: len(whole) * part // 10] for part in range(1, 10)} | {"short": whole[:-1]}
    for place_in_it in range(20, len(whole), len(whole) // 40):
        altered = bytearray(whole)
        altered[place_in_it] ^= 0x10
        if not is_same(bytes(altered), whole):
            spoiled[f"altered-{place_in_it}"] = bytes(altered)
    for name, content in spoiled.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(SetupError, match="is not a complete backup"):
            await empty.restore(path)
    assert await check_schema(empty.owner) is Schema.EMPTY
    assert not (empty.settings.data_dir / "storage" / str(NORDLYS.tenant_id)).exists()


async def test_only_an_empty_installation_is_restored_into(place: Place, empty: Place, tmp_path: Path) -> None:
    await place.back_up(tmp_path / "b.tar.gz")
    rows = await dump_rows(place.owner, TENANTS)
    with pytest.raises(SetupError, match="has 2 tenants already"):
        await place.restore(tmp_path / "b.tar.gz")
    assert await dump_rows(place.owner, TENANTS) == rows

    await empty.storage.put(f"{FJORD.tenant_id}/files/any", b"any")
    with pytest.raises(SetupError, match="storage has files of 1 tenants already"):
        await empty.restore(tmp_path / "b.tar.gz")
    await empty.storage.delete([f"{FJORD.tenant_id}/files/any"])

    empty.settings = make_settings(empty.settings.data_dir, encryption_key=OTHER_KEY)
    with pytest.raises(SetupError, match="MEETDECK_ENCRYPTION_KEY is not the key that this backup was made with"):
        await empty.restore(tmp_path / "b.tar.gz")
    assert await check_schema(empty.owner) is Schema.EMPTY


async def test_keys_are_left_out_when_asked(place: Place, tmp_path: Path) -> None:
    await place.back_up(tmp_path / "b.tar.gz", with_keys=False)
    assert read_backup(tmp_path / "b.tar.gz", NoProgress()).keys == []


def test_the_data_folders_own_keys_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "issuer-key.json").write_text("another")
    with pytest.raises(SetupError, match=r"keys of its own \(issuer-key.json\)"):
        require_room_for_keys(make_settings(tmp_path), {"issuer-key.json": "ours", "encryption-key": KEY})


async def test_a_restore_that_ended_in_the_middle_says_what_to_do_and_is_repeated(
    place: Place, empty: Place, tmp_path: Path
) -> None:
    await place.back_up(tmp_path / "b.tar.gz")
    manifest = read_backup(tmp_path / "b.tar.gz", NoProgress())
    await migrate(empty.owner, to=manifest.schema_revision)
    (empty.settings.data_dir / "restore-unfinished").write_text(f"{tmp_path / 'b.tar.gz'}\n")
    await empty.storage.put(f"{FJORD.tenant_id}/files/left", b"behind")
    with pytest.raises(SetupError, match=r"was begun and not finished.* `meetdeck restore .*b.tar.gz`"):
        take_data_folder(empty.settings.data_dir)
    await empty.restore(tmp_path / "b.tar.gz")
    assert await dump_rows(empty.owner, TENANTS) == await dump_rows(place.owner, TENANTS)
    take_data_folder(empty.settings.data_dir)
