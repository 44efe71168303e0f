"""An environment of its own for the peers, installed as requirements.lock says."""

import subprocess
import sys
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_VENV: Final = _HERE / ".venv"
_LOCK: Final = _HERE / "requirements.lock"
_INSTALLED_LOCK: Final = _VENV / _LOCK.name  # written last, so that an interrupted installation is begun anew


def install() -> Path:
    """Return the environment's Python, after installing the locked requirements, once."""
    python = _VENV / "bin" / "python"
    if not _INSTALLED_LOCK.exists() or _INSTALLED_LOCK.read_bytes() != _LOCK.read_bytes():
        uv = Path(sys.executable).with_name("uv")
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, _VENV], check=True)  # noqa: S603 - ours
        subprocess.run([uv, "pip", "sync", "--quiet", "--require-hashes", "--python", python, _LOCK], check=True)  # noqa: S603 - ours
        _INSTALLED_LOCK.write_bytes(_LOCK.read_bytes())
    return python
