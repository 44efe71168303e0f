"""The environment of requirements-judges.lock: other software that judges ours, from PyPI or uv's store."""

import subprocess
import sys
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
_UV: Final = Path(sys.executable).with_name("uv")


def make_environment(folder: Path) -> Path:
    """Install the lock into an environment of its own, and return its Python."""
    python = folder / "bin/python"
    lock = PROJECT / "requirements-judges.lock"
    for arguments in (["venv", "--python", sys.executable, folder], ["pip", "install", "--python", python, "-r", lock]):
        done = subprocess.run([_UV, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - ours
        assert done.returncode == 0, done.stderr
    return python
