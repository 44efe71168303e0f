"""Files that only our account may read."""

import os
from pathlib import Path


def write_secret_file(path: Path, content: str) -> None:
    """Write a file that only our account may read, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(content)
    unfinished.replace(path)
