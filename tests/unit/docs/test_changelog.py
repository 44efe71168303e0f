"""CHANGELOG.md can be read: the entry of a release is short, and new entries have their place."""

import re
from pathlib import Path

_PAGE = (Path(__file__).parents[3] / "CHANGELOG.md").read_text(encoding="utf-8")
_MOST_BYTES = 8 * 1024


def test_the_entry_of_a_release_is_short() -> None:
    releases = [entry for entry in re.split(r"^(?=## )", _PAGE, flags=re.MULTILINE) if re.match(r"## \[\d", entry)]
    assert releases
    assert [release[:40] for release in releases if len(release.encode()) > _MOST_BYTES] == []


def test_new_entries_have_a_place() -> None:
    unreleased = _PAGE.partition("\n## [Unreleased]\n")[2].partition("\n## [")[0]
    assert re.findall(r"^### (.+)$", unreleased, re.MULTILINE) == ["Added", "Changed", "Security", "Fixed"]
