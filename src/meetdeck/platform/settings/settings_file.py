"""The file that MEETDECK_SETTINGS_FILE names: further variables of the environment, which a reload reads anew."""

import os
import shlex
from pathlib import Path
from typing import Final

from meetdeck.platform.errors import SetupError

SETTINGS_FILE: Final = "MEETDECK_SETTINGS_FILE"

_names: Final[set[str]] = set()
"""The variables that the process was not started with, and that some version of the file gave."""


def load_settings_file() -> None:
    """Put the file's variables into the environment, whose own have precedence. Raises SetupError, and changes nothing.

    Lines are `NAME=value`, as systemd and a shell read them, or comments.
    """
    path = os.environ.get(SETTINGS_FILE, "").strip()
    given = _read(Path(path)) if path else {}
    for name in _names:
        os.environ.pop(name, None)
    _names.update(given.keys() - os.environ.keys())
    os.environ.update((name, value) for name, value in given.items() if name in _names)


def _read(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SetupError(f"{SETTINGS_FILE}: {path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SetupError(f"{SETTINGS_FILE}: {path} is not text in UTF-8") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            name, value = _read_line(line, f"{SETTINGS_FILE}: line {number} of {path}")
            found[name] = value
    return found


def _read_line(line: str, place: str) -> tuple[str, str]:
    """Return name and value; errors do not repeat the line, which may hold a secret."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise SetupError(f"{place}: {error}") from None
    name, equals, value = words[0].partition("=")
    if len(words) > 1 or not equals or not name.isidentifier():
        raise SetupError(f"{place} is not NAME=value, in single quotes if the value contains blanks")
    return name, value
