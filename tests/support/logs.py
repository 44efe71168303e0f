"""The log lines of the tests, kept to be searched at the end for what no log may contain."""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TextIO

# So specific that nothing else looks like them: whatever a test sends, none of them may appear in a log.
_FORBIDDEN = {
    "a cpr number": re.compile(r"\b[0-3]\d[01]\d{3}-\d{4}\b"),
    "a token": re.compile(r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"),
    "the token of a manage link": re.compile(r"/p/[^/\s\"]+/m/(?!…)[\w-]{20,}"),
    "an e-mail address": re.compile(r"(?<![\w/.+-])[\w.+-]+@[\w-]+\.(?:test|dk|example|invalid)\b"),
    "a header with credentials": re.compile(r"(?i)\b(?:bearer|basic) [\w.~+/=-]{16,}"),
}


_FOLDER = "PYTEST_LOGGED"
"""The variable with the folder of the logs; the processes that `-n` starts inherit it."""


def keep_logs(folder: str) -> None:
    """Keep what this process and those that it starts log in a folder."""
    os.environ[_FOLDER] = folder


@cache
def _open_file() -> TextIO:
    path = Path(os.environ[_FOLDER]) / f"logged-{os.getpid()}.txt"
    return path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)


def remember_event(_logger: object, _method: str, event: Any) -> Any:
    """Record an event, as a processor of structlog's; it continues unchanged."""
    error = event.get("exc_info")
    _open_file().write(f"{event!r} {error!r}\n" if isinstance(error, BaseException) else f"{event!r}\n")
    return event


def remember_lines(printed: str) -> None:
    """Keep the lines of JSON that a server logged; outside of a run of tests, nothing."""
    if _FOLDER not in os.environ:
        return
    _open_file().writelines(f"{line}\n" for line in printed.splitlines() if _is_event(line))


def find_forbidden() -> Iterator[str]:
    """Yield each forbidden text in the logs, and its line."""
    for file in sorted(Path(os.environ[_FOLDER]).glob("logged-*.txt")):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                for what, pattern in _FORBIDDEN.items():
                    if pattern.search(line):
                        yield f"{what}: {line.strip()[:300]}"


def _is_event(line: str) -> bool:
    if not line.startswith("{"):
        return False
    try:
        return "event" in json.loads(line)
    except ValueError:
        return False
