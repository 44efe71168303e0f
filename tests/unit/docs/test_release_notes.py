"""The notes of a release are the CHANGELOG's section of its version, and nothing of the next one."""

import pytest
from tools.release import find_notes

_CHANGELOG = """# Changelog

## [Unreleased]

- next

## [1.0.1] - 2027-01-01

- second

### Fixed

- a fault

## [1.0.0] - 2026-12-01

- first

## Up to 1.0.0, in detail

- before
"""


@pytest.mark.parametrize(
    ("version", "notes"),
    [
        ("1.0.1", "## [1.0.1] - 2027-01-01\n\n- second\n\n### Fixed\n\n- a fault\n"),
        ("1.0.0", "## [1.0.0] - 2026-12-01\n\n- first\n"),
        ("1.0", "## [Unreleased]\n\n- next\n"),
    ],
)
def test_notes_are_the_section_of_the_version(version: str, notes: str) -> None:
    assert find_notes(_CHANGELOG, version) == notes


def test_a_changelog_without_a_section_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"no section for 1\.0\.1"):
        find_notes("# Changelog\n", "1.0.1")
