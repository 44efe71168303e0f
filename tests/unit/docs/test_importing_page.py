"""The page about importing: it names every column that there is."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.danish import MEETING_TYPES
from meetdeck.booking.importing.kinds import IMPORTED, plain
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.members import DANISH_HEADERS, LABELS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/import-files.md").read_text(encoding="utf-8")


def test_the_page_names_each_column_and_its_danish_name_and_no_other() -> None:
    write_page: Callable[[str], str] = runpy.run_path(str(ROOT / "tools/update_import_page.py"))["write_page"]
    assert write_page(PAGE) == PAGE, "run python tools/update_import_page.py"


def test_each_column_has_a_danish_name_and_no_other_member_has_one_alone() -> None:
    columns = {column.name for kind in IMPORTED for column in list_columns(kind, ";").values()}
    named = {member for member, name in DANISH_HEADERS.items() if name}
    assert columns - named == set(), "add a row to booking/localization/members.csv"
    assert named - columns - {*LABELS} == set()


@pytest.mark.parametrize("kind", IMPORTED)
def test_a_column_is_found_by_its_danish_name(kind: Kind) -> None:
    columns = list_columns(kind, ";")
    for column in {*columns.values()}:
        assert columns[plain(DANISH_HEADERS[column.name])] == column


def test_the_page_names_each_meeting_type_in_danish() -> None:
    (row,) = re.findall(r"^\| meeting types \|(.*)\|$", PAGE, re.MULTILINE)
    named = set(re.findall(r"`([^`]+)`", row))
    assert set(MEETING_TYPES.values()) <= named
    assert set(MEETING_TYPES) <= {each.casefold() for each in named}
