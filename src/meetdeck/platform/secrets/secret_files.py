"""Files that only our account may read."""

import os
from contextlib import suppress
from pathlib import Path


def write_secret_file(path: Path, content: str) -> None:
    """Write a file that only our account may read, whole or not at all."""
    _write_unfinished(path, content).replace(path)


def create_secret_file(path: Path, content: str) -> None:
    """Write such a file unless there is one: of several processes that start, the first decides."""
    unfinished = _write_unfinished(path, content)
    try:
        with suppress(FileExistsError):
            path.hardlink_to(unfinished)
        unfinished.unlink()
    except OSError:  # a file system without hard links
        unfinished.replace(path)


def _write_unfinished(path: Path, content: str) -> Path:
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(content)
    return unfinished
