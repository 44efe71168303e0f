"""The data folder, closed to all accounts except our own.

The process's umask is 077, because obstore, which writes the files, has no setting for modes. Folders that were open
are walked and closed last, so that an interrupted walk is repeated and a finished one never is. The embedded
PostgreSQL, which runs under another account, gets its folder as an open file and needs no right to the folders above
it.
"""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from meetdeck.platform.errors import SetupError

_OTHERS: Final = 0o077
RESTORING: Final = "restore-unfinished"
"""The file in the data folder that names the backup which is being restored."""

log = structlog.stdlib.get_logger()


def take_data_folder(folder: Path, *, restoring: bool = False) -> None:
    """Create the data folder if it is missing, close it to others, and set the process's umask accordingly.

    Raises SetupError when it cannot be written, and when a restore into the installation was begun and not finished,
    unless it is this process that is `restoring`.
    """
    if not restoring:
        require_no_restore(folder)
    probe = folder / f".writable.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.umask(_OTHERS)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SetupError(
            f"The data folder {folder.absolute()} cannot be written ({error.strerror}). "
            "Make it writable, or set another one in MEETDECK_DATA_DIR."
        ) from error
    for root in (folder / "storage", folder / "postgres", folder):
        close_to_others(root)


def require_no_restore(folder: Path) -> None:
    """Raise SetupError when a restore into the installation was begun and not finished."""
    if (unfinished := find_unfinished_restore(folder)) is not None:
        raise SetupError(
            f"Restoring {unfinished} was begun and not finished, so nothing is here yet. To start over, run: "
            f" `meetdeck restore {unfinished}`. Or delete {folder / RESTORING} to leave the installation empty."
        )


def find_unfinished_restore(folder: Path) -> str | None:
    """Return the file of the backup whose restoring was begun and not finished, None when there is none."""
    try:
        return (folder / RESTORING).read_text(encoding="utf-8").partition("\n")[0]
    except (FileNotFoundError, NotADirectoryError):
        return None


def close_to_others(root: Path) -> None:
    """Remove other accounts' rights from a folder and everything of ours below it, unless they have none.

    The folder itself comes last, so that an interrupted walk is repeated. Files of another account, as the embedded
    database's are under root, are left alone.
    """
    if not root.is_dir() or not _is_open(root.stat()):
        return
    for parent, folders, files in os.walk(root):
        for path in (Path(parent, name) for name in (*folders, *files)):
            with suppress(FileNotFoundError):  # the database runs, or another process deletes a file
                found = path.lstat()
                if found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode) and _is_open(found):
                    _close(path, found)
    try:
        _close(root, root.stat())
    except PermissionError:  # a volume that an orchestrator made
        log.warning("other accounts may look into a folder that is not ours to close", folder=str(root))


def _close(path: Path, found: os.stat_result) -> None:
    path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)


def _is_open(found: os.stat_result) -> bool:
    return bool(found.st_mode & _OTHERS)


def count_free_bytes(folder: Path) -> int:
    """Return how much of a folder's disk is still available to us."""
    return shutil.disk_usage(folder).free
