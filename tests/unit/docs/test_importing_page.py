"""The page about importing: it names every column that there is."""

import re
from pathlib import Path

import pytest

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.danish import HEADERS, MEETING_TYPES
from meetdeck.booking.importing.kinds import IMPORTED, plain
from meetdeck.booking.kinds import Kind

PAGE = (Path(__file__).parents[3] / "docs/importing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", IMPORTED)
def test_the_page_names_each_column_of_a_kind_and_no_other(kind: Kind) -> None:
    row = re.search(rf"^\| `{kind.imported_as}\.csv` \|.*\|([^|]*)\|$", PAGE, re.MULTILINE)
    assert row is not None
    known = list_columns(kind, ",")
    named = {known[plain(name)] for name in re.findall(r"`([^`]+)`", row[1])}
    assert named | {known["id"]} == set(known.values())


def test_the_page_names_each_column_in_danish() -> None:
    section = PAGE.partition("### Danish spreadsheets")[2].partition("###")[0]
    listed = " ".join(section.split())
    for kind in IMPORTED:
        columns = list_columns(kind, ";")
        for name, danish in re.findall(r"`([\w.]+)` ([^;.`]+)", listed):
            if plain(name) in columns:
                assert columns[plain(danish)] == columns[plain(name)], (kind, danish)
        for column in set(columns.values()):
            assert column.name in HEADERS, column.name
            assert HEADERS[column.name] in listed or column.name == "id"


def test_the_page_names_each_meeting_type_in_danish() -> None:
    (row,) = re.findall(r"^\| meeting types \|(.*)\|$", PAGE, re.MULTILINE)
    named = set(re.findall(r"`([^`]+)`", row))
    assert set(MEETING_TYPES.values()) <= named
    assert set(MEETING_TYPES) <= {each.casefold() for each in named}
