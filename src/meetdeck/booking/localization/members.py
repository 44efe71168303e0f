"""The names of members in each language: Danish headers of spreadsheets, and labels of forms.

`members.csv` has them all, a row for each member. A member whose label is worded for its form has only a header.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_CODES_LANGUAGE: Final = "en"


def _read() -> list[dict[str, str]]:
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_ROWS: Final = _read()

DANISH_HEADERS: Final[Mapping[str, str]] = {row["member"]: row["da"] for row in _ROWS}
"""The Danish names of an import's columns."""

LABELS: Final[Mapping[str, str]] = {row["member"]: row["en"] for row in _ROWS if row["en"]}
"""The English labels of members."""


def list_labels(language: str) -> Mapping[str, str]:
    """Return the labels in a language by the English ones."""
    return {row[_CODES_LANGUAGE]: row[language] for row in _ROWS if row[_CODES_LANGUAGE]}
