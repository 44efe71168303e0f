"""`meetdeck export --tenant` and `import-tenant`: leaving is possible, and coming back (docs/export.md)."""

import json
import re
import tarfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from meetdeck.administration.archives.catalog import read_tables
from meetdeck.administration.exports.export import export_tenant
from meetdeck.administration.exports.importing import import_tenant, read_export
from meetdeck.administration.exports.line_schemas import describe_lines
from meetdeck.administration.exports.sealed import CLEAR_COLUMNS
from meetdeck.administration.exports.tables import LEFT_OUT, TABLES
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.identity import TenantNotFound
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.storage import Storage
from meetdeck.services import Services
from support.archives import Rows, dump_rows, hash_files
from support.databases import copy_database
from support.factories import Api
from support.filled_firms import fill

DOCS = Path(__file__).parents[3] / "docs" / "export.md"
OTHER_KEY = Encryption(bytes(range(7, 39)))
CPR = "010203-1234"


@pytest_asyncio.fixture
async def empty(postgres: Endpoint, migrated: str) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend a migrated database without tenants, as (its owner, the application)."""
    async with copy_database(postgres, migrated) as addresses:
        yield addresses


async def test_every_table_is_exported_or_left_out_with_a_reason(owner: Connection) -> None:
    tables = [table for table in await read_tables(owner) if table.is_of_tenants]
    assert {table.name for table in tables} - TABLES.keys() - LEFT_OUT.keys() == set(), (
        "say in administration/exports/tables.py and docs/export.md what it holds, or why it is left out"
    )
    described = DOCS.read_text(encoding="utf-8")
    assert [name for name in (*TABLES, *LEFT_OUT) if f"`{name}`" not in described] == []
    for table in tables:
        if table.name in TABLES:
            assert describe_lines(table)["required"]


async def test_an_export_is_imported_into_another_installation_row_by_row(
    api: Api, services: Services, addresses: tuple[Address, Address], empty: tuple[Address, Address], tmp_path: Path
) -> None:
    for firm in (NORDLYS, FJORD):
        await fill(api, firm, services.database)
    assert (await api.book(employeeId=api.id_of("employee", "Eva Sand"), cpr=CPR, **_AT_NOON)).status_code == 201
    archives = {firm.tenant_id: tmp_path / f"{firm.name}.tar.gz" for firm in (NORDLYS, FJORD)}
    for tenant_id, path in archives.items():
        await _list_hosts(services.database, tenant_id, ["mine.example"])
        report = await export_tenant(addresses[1], services.storage, tenant_id, services.encryption, path, NoProgress())
        await _list_hosts(services.database, tenant_id, None)  # which is how the import leaves it
        assert path.stat().st_mode & 0o777 == 0o600
        assert report.rows > 100

    there = Storage.open(url=None, folder=tmp_path / "there")
    other = empty
    for path in archives.values():
        await import_tenant(other[0], there, OTHER_KEY, path, read_export(path, NoProgress()), NoProgress())
    for tenant_id in archives:
        before = await dump_rows(addresses[0], [tenant_id])
        after = await dump_rows(other[0], [tenant_id])
        await require_equal_but_for_cpr(before, after)
        assert after["employee_picture"], "advisors keep their faces"
    assert await _read_cprs(other[0], OTHER_KEY) == [CPR]
    path = archives[FJORD.tenant_id]
    with pytest.raises(SetupError, match="already exists here"):
        await import_tenant(other[0], there, OTHER_KEY, path, read_export(path, NoProgress()), NoProgress())
    async with Database(other[1], connections=1) as served, served.transaction(FJORD.tenant_id) as connection:
        await connection.execute(
            "insert into resource (tenant_id, resource_id) values (current_tenant(), gen_random_uuid())"
        )
    assert hash_files(tmp_path / "there") == hash_files(tmp_path / "storage")
    _require_open(archives[NORDLYS.tenant_id])


async def _list_hosts(database: Database, tenant_id: UUID, hosts: list[str] | None) -> None:
    """Set the hosts that a firm may name."""
    statement = "update tenant set outgoing_hosts = $1"
    await database.run(tenant_id, lambda connection: connection.execute(statement, hosts))


async def test_an_import_that_cannot_be_finished_leaves_nothing(
    api: Api, services: Services, addresses: tuple[Address, Address], postgres: Endpoint, migrated: str, tmp_path: Path
) -> None:
    assert api.firm is NORDLYS
    path = tmp_path / "e.tar.gz"
    await export_tenant(addresses[1], services.storage, NORDLYS.tenant_id, services.encryption, path, NoProgress())
    there = Storage.open(url=None, folder=tmp_path / "there")
    taken = UUID(int=5)
    async with copy_database(postgres, migrated) as other:
        connection = await other[1].connect()
        async with connection.transaction():
            await connection.execute(f"select set_config('meetdeck.tenant', '{taken}', true)")
            await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Another')")
            await connection.execute(
                "insert into portal (tenant_id, portal_id, name, authentication_type, address)"
                " values (current_tenant(), gen_random_uuid(), 'P', 'Anonymous', 'nordlys')"
            )
        await connection.close()
        before = await read_numbers(other[0])
        manifest = read_export(path, NoProgress())
        with pytest.raises(SetupError, match=r"rows of portal clash with another tenant.s .*portal_by_address"):
            await import_tenant(other[0], there, OTHER_KEY, path, manifest, NoProgress())
        assert await read_numbers(other[0]) == before
        assert not any((await dump_rows(other[0], [NORDLYS.tenant_id])).values())
    assert hash_files(tmp_path / "there") == {}


async def read_numbers(address: Address) -> dict[str, int]:
    """Return the last number of each sequence."""
    connection = await address.connect()
    rows = await connection.fetch("select sequencename as name, coalesce(last_value, 0) as last from pg_sequences")
    await connection.close()
    return {str(row["name"]): int(row["last"]) for row in rows}


async def test_a_tenant_that_is_not_there_is_one_line(
    services: Services, addresses: tuple[Address, Address], tmp_path: Path
) -> None:
    with pytest.raises(TenantNotFound, match="There is no tenant"):
        await export_tenant(
            addresses[1], services.storage, UUID(int=9), services.encryption, tmp_path / "left", NoProgress()
        )
    assert not (tmp_path / "left").exists()


_AT_NOON = {"startDate": "2026-03-05T11:00:00Z", "endDate": "2026-03-05T12:00:00Z"}
_SEALED = re.compile(r'"\\\\x[0-9a-f]{58,}"')


async def require_equal_but_for_cpr(before: Rows, after: Rows) -> None:
    """Check that two dumps are equal; what is sealed is sealed anew, and what is left out is not there."""
    for table, rows in before.items():
        expected = [] if table in LEFT_OUT else rows
        if table in {sealed for sealed, _ in CLEAR_COLUMNS}:
            assert [_SEALED.sub("cpr", row) for row in rows] == [_SEALED.sub("cpr", row) for row in after[table]]
        else:
            assert after[table] == expected, table


async def _read_cprs(address: Address, encryption: Encryption) -> list[str]:
    connection = await address.connect()
    async with connection.transaction():
        await connection.execute(f"select set_config('meetdeck.tenant', '{NORDLYS.tenant_id}', true)")
        sealed = await connection.fetch("select cpr_encrypted from meeting where cpr_encrypted is not null")
    await connection.close()
    return [encryption.decrypt(NORDLYS.tenant_id, row["cpr_encrypted"]) for row in sealed]


def _require_open(path: Path) -> None:
    """Check that a program that knows nothing of Meetdeck reads an export, each line as its schema says."""
    with tarfile.open(path) as archive:
        content: dict[str, bytes] = {}
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            content[member.name] = file.read()
    manifest: Any = json.loads(content["manifest.json"])
    assert manifest["format"] == "meetdeck-export"
    for table in manifest["tables"]:
        lines = [json.loads(line) for line in content[f"rows/{NORDLYS.tenant_id}/{table['table']}.jsonl"].splitlines()]
        schema = json.loads(content[f"schemas/{table['table']}.json"])
        assert len(lines) == table["rows"]
        assert {tuple(line) for line in lines} == {tuple(schema["properties"])}
    meetings = content[f"rows/{NORDLYS.tenant_id}/meeting.jsonl"].splitlines()
    assert [json.loads(line)["cpr"] for line in meetings if b'"cpr":null' not in line] == [CPR]
    files = [json.loads(line) for line in content["files.jsonl"].splitlines()]
    assert {file["path"] for file in files} <= content.keys()
    assert any(file["path"].endswith("/1.pptx") and content[file["path"]].startswith(b"PK") for file in files)
