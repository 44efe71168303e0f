"""Backing up an installation: rows and files of one moment, in one file, while it serves."""

from pathlib import Path

from meetdeck.administration.archives import reading
from meetdeck.administration.archives.catalog import OF_ITS_SERVER
from meetdeck.administration.archives.packing import Packer
from meetdeck.administration.archives.reading import OnRead
from meetdeck.administration.archives.schemas import ArchiveKind, ArchiveReport
from meetdeck.administration.archives.sealing import sealed
from meetdeck.administration.archives.snapshots import open_snapshot
from meetdeck.administration.archives.writing import STDOUT, ArchiveWriter, open_target
from meetdeck.administration.backups.keys import FOLDER, read_keys
from meetdeck.platform.database import Address
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage


async def back_up(
    settings: Settings, address: Address, storage: Storage, path: Path, progress: ProgressReport, *, with_keys: bool
) -> ArchiveReport:
    """Write a backup, encrypted to the settings' recipients; return the report on it.

    `address`: of the application's role or the owner's. Raises SetupError if it cannot be finished; no file is left
    then.
    """
    keys = read_keys(settings) if with_keys else {}
    with open_target(path) as file, sealed(file, settings.backup_recipients) as target:
        async with open_snapshot(address) as snapshot:
            with ArchiveWriter(target, at=snapshot.moment.timestamp()) as writer:
                packer = Packer(writer, snapshot, storage, progress)
                for name, key in keys.items():
                    writer.add(FOLDER + name, key.encode())
                tenants = await snapshot.list_tenants()
                tables = [table for table in snapshot.tables if table.is_of_tenants and table.name not in OF_ITS_SERVER]
                await packer.fill(dict.fromkeys(tenants, tables))
                manifest = packer.describe(ArchiveKind.BACKUP, tenants, list(keys))
                await run_in_thread(writer.finish, manifest)
    if settings.backup_recipients and path != STDOUT:
        return reading.describe(path, manifest)
    return reading.report(str(path), writer.size, writer.sha256, manifest)


def check(path: Path, on_read: OnRead, identity: Path | None = None) -> ArchiveReport:
    """Read a whole backup; return the report on it. Raises SetupError if it is incomplete.

    `identity`: a file with the private key of an encrypted one.
    """
    return reading.describe(path, reading.verify(path, ArchiveKind.BACKUP, on_read, identity))
