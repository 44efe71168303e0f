"""The page about importing: it names every column that there is."""

import re
from pathlib import Path

import pytest

from meetdeck.booking.importing.columns import list_columns
from meetdeck.booking.importing.kinds import Kind, plain

PAGE = (Path(__file__).parents[3] / "docs/importing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", Kind)
def test_the_page_names_each_column_of_a_kind_and_no_other(kind: Kind) -> None:
    row = re.search(rf"^\| `{kind.value}\.csv` \|.*\|([^|]*)\|$", PAGE, re.MULTILINE)
    assert row is not None
    known = list_columns(kind, ",")
    named = {known[plain(name)] for name in re.findall(r"`([^`]+)`", row[1])}
    assert named | {known["id"]} == set(known.values())
