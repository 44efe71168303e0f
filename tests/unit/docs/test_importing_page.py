"""The page about importing: it names every column that there is."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.danish import HEADERS, MEETING_TYPES
from meetdeck.booking.importing.kinds import IMPORTED, plain
from meetdeck.booking.kinds import Kind

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/importing.md").read_text(encoding="utf-8")


def test_the_page_names_each_column_and_its_danish_name_and_no_other() -> None:
    write_page: Callable[[str], str] = runpy.run_path(str(ROOT / "tools/update_import_page.py"))["write_page"]
    assert write_page(PAGE) == PAGE, "run python tools/update_import_page.py"


@pytest.mark.parametrize("kind", IMPORTED)
def test_a_column_is_found_by_its_danish_name(kind: Kind) -> None:
    columns = list_columns(kind, ";")
    for column in {*columns.values()}:
        assert columns[plain(HEADERS[column.name])] == column


def test_the_page_names_each_meeting_type_in_danish() -> None:
    (row,) = re.findall(r"^\| meeting types \|(.*)\|$", PAGE, re.MULTILINE)
    named = set(re.findall(r"`([^`]+)`", row))
    assert set(MEETING_TYPES.values()) <= named
    assert set(MEETING_TYPES) <= {each.casefold() for each in named}
