"""The code of the previous release, from the repository's history."""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

PREVIOUS_RELEASE: Final = "64ee17b5"
"""The commit, or the tag, beside which this version runs and from which it is upgraded; a release moves it on."""
LATEST_RELEASE: Final = "903dad79"
"""The commit of the latest release, 1.0.0, which installations run."""
RELEASES: Final = (PREVIOUS_RELEASE, LATEST_RELEASE)
"""All from which the database can be upgraded: each release adds its commit, which stays."""
MISSING: Final = (
    f"the previous release, {PREVIOUS_RELEASE}, is not to be had: git fetch --unshallow, or no package index"
)

_REPOSITORY: Final = Path(__file__).parents[2]


def unpack_previous_release(folder: Path, release: str = PREVIOUS_RELEASE) -> str | None:
    """Write a release's code into a folder and return where Python finds it and its locked packages.

    None without the history, or without the packages. They are installed once for a set-up.
    """
    archive = subprocess.run(  # noqa: S603 - our own repository
        ["git", "-C", str(_REPOSITORY), "archive", release, "src", "requirements.lock"],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if archive.returncode != 0:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    packages = Path(sys.prefix) / "previous-release" / release
    if not packages.is_dir() and not _install(folder / "requirements.lock", packages):
        return None
    return os.pathsep.join([str(folder / "src"), str(packages)])


def _install(lock: Path, packages: Path) -> bool:
    unfinished = packages.with_name(f"unfinished-{os.getpid()}")
    uv = [str(Path(sys.prefix) / "bin" / "uv"), "pip", "install", "--quiet", "--python", sys.executable]
    command = [*uv, "--no-deps", "--target", str(unfinished), "--requirements", str(lock)]
    if subprocess.run(command, check=False).returncode != 0:  # noqa: S603 - our own set-up's
        return False
    unfinished.rename(packages)
    return True
