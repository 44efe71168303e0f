"""The pool's private folder: one sub-folder for each LibreOffice process, removed with the pool."""

import fcntl
import itertools
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from meetdeck.present.render.office_process import remove_traces

_PREFIX: Final = "meetdeck-office-"
_YOUNG_SECONDS: Final = 60.0


class WorkFolder:
    """A new folder under `parent`, held by a lock that ends with this process, however it ends."""

    def __init__(self, parent: Path | None = None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        self.path.chmod(0o711)  # an unprivileged LibreOffice passes through to its own folder, and lists nothing
        self._lock = os.open(self.path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._numbers = itertools.count()

    def next_process(self) -> Path:
        """Return the path of a folder that no process has used."""
        return self.path / str(next(self._numbers))

    def sweep(self) -> None:
        """Remove the folders of killed owners beside this one."""
        made = self.path.stat().st_mtime
        for stale in self.path.parent.glob(f"{_PREFIX}*"):
            # A folder this young may belong to a process that has yet to lock it.
            if stale != self.path and made - _modified(stale) > _YOUNG_SECONDS and _is_abandoned(stale):
                _remove(stale)

    def remove(self) -> None:
        """Remove everything and release the lock."""
        _remove(self.path)
        os.close(self._lock)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return float("inf")


def _is_abandoned(path: Path) -> bool:
    """Return whether the folder's lock is free; folders of other users are never removed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    for process_folder in path.iterdir():
        remove_traces(process_folder)
    shutil.rmtree(path, ignore_errors=True)
