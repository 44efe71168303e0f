"""`meetdeck restore` of a backup that somebody forged: one line that helps, and nothing new anywhere."""

import gzip
import io
import json
import re
import resource
import tarfile
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from meetdeck.administration.backups.backup import back_up
from meetdeck.administration.backups.restore import Target, read_backup, restore
from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import take_data_folder
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage
from meetdeck.services import Services
from support.archives import hash_files
from support.databases import copy_database
from support.factories import Api, make_settings
from support.hostile_archives import Json, Part, change_rows, read_parts, write_archive

TENANT, OTHER = str(NORDLYS.tenant_id), str(UUID(int=77))
ROWS = f"rows/{TENANT}"
MEGABYTE = 1024 * 1024
DEEP = b"[" * 100_000


@dataclass
class Forge:
    """A backup, and an empty installation that what is refused leaves as it is."""

    parts: list[Part]
    manifest: Json
    whole: bytes
    owner: Address
    folder: Path
    settings: Settings

    def write(self, parts: list[Part], *, after: bytes = b"", **manifest: Any) -> Path:
        """Return a forged backup whose digests and numbers fit, but for those of the manifest that are given."""
        path = self.folder / "forged" / f"{uuid4()}.tar.gz"
        return write_archive(path, parts, self.manifest | manifest, after=after)

    def write_bytes(self, content: bytes) -> Path:
        path = self.folder / "forged" / f"{uuid4()}.tar.gz"
        path.write_bytes(content)
        return path

    def with_rows(self, table: str, content: bytes) -> list[Part]:
        """Return the members with other rows of a table."""
        name = f"{ROWS}/{table}.jsonl"
        return [part._replace(content=content) if part.name == name else part for part in self.parts]

    async def restore(self, path: Path) -> None:
        storage = Storage.open(url=None, folder=self.settings.data_dir / "storage")
        manifest = read_backup(path, NoProgress())
        await restore(Target(self.settings, self.owner, storage), path, manifest, NoProgress())


@pytest_asyncio.fixture
async def forge(
    api: Api, services: Services, addresses: tuple[Address, Address], postgres: Endpoint, migrated: str, tmp_path: Path
) -> AsyncGenerator[Forge]:
    assert (await api.request("POST", "v3/present/contents", files={"file": ("a.bin", b"a")})).status_code == 201
    path = tmp_path / "b.tar.gz"
    await back_up(services.settings, addresses[1], services.storage, path, NoProgress(), with_keys=True)
    (tmp_path / "forged").mkdir()
    (tmp_path / "there").mkdir()
    async with copy_database(postgres, migrated) as (owner, _):
        yield Forge(*read_parts(path), path.read_bytes(), owner, tmp_path, make_settings(tmp_path / "there"))


def _kind(kind: bytes, to: str = "") -> Callable[[tarfile.TarInfo], None]:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname, info.size = kind, to, 0

    return change


def _tar(*infos: tuple[tarfile.TarInfo, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for info, content in infos:
            info.size = info.size or len(content)
            archive.addfile(info, io.BytesIO(content) if content else None)
    return gzip.compress(target.getvalue(), 1)


def _raw_header(**members: Any) -> bytes:
    info = tarfile.TarInfo("rows/x")
    for name, value in members.items():
        setattr(info, name, value)
    return info.tobuf(tarfile.GNU_FORMAT)


def _forge_members(forge: Forge) -> dict[str, tuple[Path, str]]:
    """Return archives with a member that is none of ours, each with the words of its refusal."""
    room = next(part for part in forge.parts if part.name == f"{ROWS}/room.jsonl")
    file = next(part for part in forge.parts if part.key)

    def odd(kind: bytes, to: str = "", name: str = "files/x") -> tuple[Path, str]:
        return forge.write([Part(name, b"", info=_kind(kind, to)), *forge.parts]), "plain file"

    def more(name: str, content: bytes = b"x", key: str = "", why: str = "no firm") -> tuple[Path, str]:
        return forge.write([*forge.parts, Part(name, content, key)]), why

    def key(name: str) -> tuple[Path, str]:
        return forge.write([Part(name, b"x"), *forge.parts]), "is not a key"

    return {
        "a name that climbs": more("../../evil", key="../../evil"),
        "an absolute name": more("/etc/cron.d/evil", key="/etc/cron.d/evil"),
        "a key that climbs": more("f", key=f"{TENANT}/files/../../evil"),
        "a key of dashes": more("f", key=f"{'-' * 36}/files/{'-' * 36}"),
        "another firm's file": more("f", key=f"{OTHER}/files/{OTHER}"),
        "a key file that climbs": key("keys/../../evil"),
        "a key file that is none": key("keys/authorized_keys"),
        "a symlink": odd(tarfile.SYMTYPE, "/etc/passwd"),
        "a hardlink": odd(tarfile.LNKTYPE, "README.txt"),
        "a device": odd(tarfile.CHRTYPE),
        "a pipe": odd(tarfile.FIFOTYPE),
        "a folder": odd(tarfile.DIRTYPE),
        "escapes for a terminal": odd(tarfile.FIFOTYPE, name="\x1b]0;evil\x07"),
        "the same name twice": more(room.name, room.content, why="is in it twice"),
        "the same file twice": more("files/again", file.content, file.key, why="is in it twice"),
        "a very long name": more("x" * 5_000, why="5,000 characters"),
        "another firm's folder": more(f"rows/{OTHER}/room.jsonl", room.content, why="no firm or table"),
        "a table that is none": more(f"{ROWS}/no_such_table.jsonl", b"{}\n", why="no firm or table"),
        "SQL in a table": more(
            f'{ROWS}/room"; drop table room; --.jsonl', b"{}\n", why="manifest|no table|not a table"
        ),
        "a catalog's table": more(f"{ROWS}/pg_authid.jsonl", b"{}\n", why="no firm or table"),
        "the installation's table": more(f"{ROWS}/rate_count.jsonl", b"{}\n", why="no firm or table"),
    }


def _forge_rows(forge: Forge) -> dict[str, tuple[Path, str]]:
    """Return archives with rows that are none."""
    room = next(part.content for part in forge.parts if part.name == f"{ROWS}/room.jsonl")

    def rooms(why: str, **changed: Any) -> tuple[Path, str]:
        return forge.write(change_rows(forge.parts, "room", lambda row: row.update(changed))), why

    def lines(content: bytes, why: str) -> tuple[Path, str]:
        return forge.write(forge.with_rows("room", content)), why

    return {
        "another firm's rows": rooms("another firm", tenant_id=OTHER),
        "SQL in a column": rooms("has no column", **{'name") select 1; drop table room; --': 1}),
        "NUL in a text": rooms("rows of room, ", name="a\0b"),
        "a text in place of a number": rooms("rows of room, ", capacity="x"),
        "a null where none may be": rooms("rows of room, ", name=None),
        "rows that are not JSON": lines(b"\xff\xfe\n", "not a row|not UTF-8"),
        "a row that is a list": lines(b"[1, 2]\n", "not a row"),
        "a deep row": lines(b'{"name":' + DEEP + b"}\n", "not a row"),
        "half a row": lines(room[:-1], "within a row"),
        "an empty line": lines(room + b"\n", "room"),
        "a row twice": lines(room + room, "is in it twice"),
    }


def _forge_manifests(forge: Forge) -> dict[str, tuple[Path, str]]:
    """Return archives whose manifests are not what they should be."""
    parts, manifest = forge.parts, forge.manifest
    text = json.dumps(manifest).encode()

    def write(content: bytes) -> Path:
        path = forge.folder / "forged" / f"{uuid4()}.tar.gz"
        return write_archive(path, parts, content, counts=False)

    return {
        "no JSON": (write(b"{"), "manifest cannot be read"),
        "a deep manifest": (write(DEEP), "manifest cannot be read"),
        "a huge manifest": (write(text[:-1] + b" " * (70 * MEGABYTE) + b"}"), "bytes long"),
        "wrong types": (write(json.dumps(manifest | {"sequences": [1]}).encode()), "manifest is wrong"),
        "a number that is too large": (
            forge.write(parts, sequences={"resource.resource_key": 2**62}),
            "numbers end at",
        ),
        "a number of 400 digits": (forge.write(parts, sequences={"resource.resource_key": 10**400}), "numbers end at"),
        "an unheard-of schema": (forge.write(parts, schemaRevision="9999\x1b[2J"), "was made by Meetdeck"),
        "a newer form": (forge.write(parts, formatVersion=99, meetdeckVersion="\x1b[31m9"), "newer Meetdeck"),
        "an export": (forge.write(parts, format="meetdeck-export"), "it is an export"),
        "no firms": (forge.write(parts, tenants={}), "no firm"),
        "more rows than there are": (
            write(json.dumps(manifest | {"tables": []}).encode()),
            "not those of its manifest",
        ),
    }


def _forge_streams(forge: Forge) -> dict[str, tuple[Path, str]]:
    """Return files that lie about their sizes, or unpack to far more than they are."""
    zeros = gzip.compress(bytes(64 * MEGABYTE), 9) * 40  # 2.5 GB of 2.6 MB
    pax = _raw_header(type=tarfile.XHDTYPE, size=10 * 1024 * MEGABYTE)
    sparse = tarfile.TarInfo("files/x")
    return {
        "cut off": (forge.write_bytes(forge.whole[: len(forge.whole) // 2]), "cut off|whole backup"),
        "no archive": (forge.write_bytes(b"\x00" * 1000), "cut off"),
        "a bomb": (forge.write_bytes(gzip.compress(_raw_header(name="files/x", size=2**40), 1) + zeros), "unpacks to"),
        "a bomb behind the end": (forge.write_bytes(forge.whole + zeros), "unpacks to|data follows"),
        "a header of 10 GB": (forge.write_bytes(gzip.compress(pax, 1) + zeros), "header of"),
        "a thousand headers": (
            forge.write_bytes(gzip.compress(_raw_header(type=tarfile.XHDTYPE, size=0) * 5_000, 1)),
            "nested|cut off",
        ),
        "a negative size": (
            forge.write_bytes(gzip.compress(_raw_header(size=-1) + bytes(1024), 1)),
            "header of|cut off",
        ),
        "a sparse file": (forge.write_bytes(_tar((sparse, b""), (_sparse(), b""))), "plain file|altered|cut off"),
    }


def _sparse() -> tarfile.TarInfo:
    info = tarfile.TarInfo("files/y")
    info.type = tarfile.GNUTYPE_SPARSE
    return info


@pytest.mark.thorough
async def test_forged_backups_are_refused_in_a_line_and_leave_nothing(forge: Forge) -> None:
    cases = _forge_members(forge) | _forge_rows(forge) | _forge_manifests(forge) | _forge_streams(forge)
    assert len(cases) >= 45
    outside = sorted(path for path in forge.folder.rglob("*") if "there" not in path.parts)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken: list[str] = []
    for name, (path, why) in cases.items():
        try:
            await forge.restore(path)
        except SetupError as error:
            if re.search(why, str(error)) is None or len(str(error)) > 900:
                taken.append(f"{name}: {error}")
        else:
            taken.append(f"{name}: restored")
        left = [
            file.name
            for file in forge.settings.data_dir.rglob("*")
            if file.is_file() and file.name != "meetdeck-storage"
        ]
        if left:
            taken.append(f"{name}: left {left}")
            break
    assert taken == [], "\n".join(taken)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    assert grown < 700, f"{grown} MiB more"
    assert sorted(path for path in forge.folder.rglob("*") if "there" not in path.parts) == outside
    assert hash_files(forge.settings.data_dir / "storage") == {}
    connection = await forge.owner.connect()
    assert await connection.fetchval("select count(*) from list_tenants()") == 0
    assert await connection.fetchval("select count(*) from rate_count") == 0
    await connection.close()
    take_data_folder(forge.settings.data_dir)


async def test_the_backup_itself_comes_in_after_all_that(forge: Forge) -> None:
    with pytest.raises(SetupError, match="not a row"):
        await forge.restore(forge.write(forge.with_rows("room", b"[1, 2]\n")))
    await forge.restore(forge.write(forge.parts))
    assert len(hash_files(forge.settings.data_dir / "storage")) >= 1
