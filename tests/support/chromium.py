"""Chromium on this machine: `python tests/support/chromium.py` prints its path, or ends with status 1.

Only the standard library is used: the set-up runs it, too, before packages are installed.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

_COMMANDS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_APPLICATIONS: Final = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
MISSING: Final = "no Chromium here: install the package `chromium`, or name one by MEETDECK_CHROMIUM"


def find_chromium() -> Path | None:
    """Return the path of the browser named by `MEETDECK_CHROMIUM`, else of the installed one."""
    if named := os.environ.get("MEETDECK_CHROMIUM"):
        return Path(named) if os.access(named, os.X_OK) else None
    commands = (shutil.which(name) for name in _COMMANDS)
    installed = [Path(path) for path in commands if path is not None]
    return next((path for path in [*installed, *_APPLICATIONS] if os.access(path, os.X_OK)), None)


if __name__ == "__main__":
    found = find_chromium()
    print(found or MISSING)  # noqa: T201 - that is what it is for
    sys.exit(found is None)
