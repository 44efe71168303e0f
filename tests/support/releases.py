"""The code of the release before this one, as the repository's history has it."""

import io
import subprocess
import tarfile
from pathlib import Path
from typing import Final

PREVIOUS_RELEASE: Final = "274dd16"
"""The commit, or the tag, from which installations are upgraded to this version; a release moves it on."""
MISSING: Final = f"this clone's history does not have the previous release, {PREVIOUS_RELEASE}: git fetch --unshallow"

_REPOSITORY: Final = Path(__file__).parents[2]


def unpack_previous_release(folder: Path) -> Path | None:
    """Write the previous release's packages into a folder and return where Python finds them; None without history."""
    archive = subprocess.run(  # noqa: S603 - our own repository
        ["git", "-C", str(_REPOSITORY), "archive", PREVIOUS_RELEASE, "src"],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if archive.returncode != 0:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"
