"""Prints which of the given files and folders can be opened, to test the jail around it.

    office_probe.py path [path …]

Runs where LibreOffice would run, under the same Python (see `office_jail.py`). Prints a JSON list of paths.
"""

from __future__ import annotations

import json
import os
import sys


def can_open(path: str) -> bool:
    """Return whether a file, or a folder, can be read."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    print(json.dumps([path for path in sys.argv[1:] if can_open(path)]))  # noqa: T201 - that is its answer
