"""Exporting a tenant into the open format (docs/export.md), while the installation serves."""

from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.administration.archives import reading
from meetdeck.administration.archives.packing import Packer
from meetdeck.administration.archives.schemas import ArchiveKind, ArchiveReport
from meetdeck.administration.archives.snapshots import open_snapshot
from meetdeck.administration.archives.writing import ArchiveWriter, open_target
from meetdeck.administration.exports.line_schemas import describe_lines
from meetdeck.administration.exports.sealed import SealedColumns
from meetdeck.administration.exports.tables import LEFT_OUT
from meetdeck.platform.database import Address
from meetdeck.platform.identity import TenantNotFound
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.storage import Storage

SCHEMAS: Final = "schemas/"
_README: Final = b"""\
A firm exported from Meetdeck: all its rows and files at one moment.

rows/TENANT/TABLE.jsonl   a line of JSON for each row; a large table goes on in TABLE-2.jsonl ...
schemas/TABLE.json        the JSON Schema of these lines
files/TENANT/...          templates (.pptx) and stored contents
files.jsonl               a line for each file: path, key (as rows name it in file_key), bytes, sha256
manifest.json             when it was made and by what, and how many rows and files there are

It holds customers' data, cpr numbers in clear text. Keep it encrypted, and delete it when it is not needed any more.
"""


async def export_tenant(
    address: Address, storage: Storage, tenant_id: UUID, encryption: Encryption, path: Path, progress: ProgressReport
) -> ArchiveReport:
    """Write an export; return the report on it.

    Raises SetupError if it cannot be finished, and leaves no file then; and TenantNotFound.
    """
    with open_target(path) as target:
        async with open_snapshot(address) as snapshot:
            name = await snapshot.find_name(tenant_id)
            if name is None:
                raise TenantNotFound(tenant_id)
            tables = [table for table in snapshot.tables if table.is_of_tenants and table.name not in LEFT_OUT]
            with ArchiveWriter(target, at=snapshot.moment.timestamp()) as writer:
                packer = Packer(writer, snapshot, storage, progress)
                writer.add("README.txt", _README)
                for table in tables:
                    schema = msgspec.json.format(msgspec.json.encode(describe_lines(table)), indent=2)
                    writer.add(f"{SCHEMAS}{table.name}.json", schema)
                await packer.fill({tenant_id: tables}, rewrite=SealedColumns(encryption).open)
                manifest = packer.describe(ArchiveKind.EXPORT, {tenant_id: name})
                await run_in_thread(writer.finish, manifest)
    return reading.report(str(path), writer.size, writer.sha256, manifest)
