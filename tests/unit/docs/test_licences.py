"""`make check` refuses packages whose licence nobody looked at, and licences that may not be passed on."""

import json
from collections.abc import Mapping

import pytest
from tools.licences import ALLOWED, ALLOWED_IN_TOOLS, find_stated, is_allowed, list_faults, read_npm_lock, read_page

_PAGE = """# Licences

## Installed with Meetdeck

| licence | packages |
|---|---|
| BSD-3-Clause | `jinja2` |
| MIT OR Apache-2.0 | `sniffio`, `structlog` |

## Beside Meetdeck

PostgreSQL (PostgreSQL)
"""
LISTED = {"jinja2": "BSD-3-Clause", "sniffio": "MIT OR Apache-2.0", "structlog": "MIT OR Apache-2.0"}
STATED = {"jinja2": "BSD", "sniffio": "MIT OR Apache-2.0", "structlog": ""}


def test_the_page_is_the_list() -> None:
    assert read_page(_PAGE) == {"Installed with Meetdeck": LISTED}
    assert list(list_faults(LISTED, STATED, ALLOWED, "here")) == []


@pytest.mark.parametrize(
    ("listed", "stated", "fault"),
    [
        ({}, {"new": "MIT"}, "new: “here” does not list it. Its metadata says MIT"),
        ({"gone": "MIT"}, {}, "gone: no lock has it any more"),
        ({"changed": "MIT"}, {"changed": "BUSL-1.1"}, "changed: “here” says MIT, its metadata BUSL-1.1"),
        ({"other": "MIT"}, {"other": "BSD"}, "other: “here” says MIT, its metadata BSD"),
        ({"copyleft": "GPL-3.0-only"}, {"copyleft": "GPL-3.0-only"}, "copyleft: GPL-3.0-only is not allowed"),
        ({"both": "MIT AND GPL-3.0-only"}, {"both": ""}, "both: MIT AND GPL-3.0-only is not allowed"),
    ],
)
def test_what_differs_is_said(listed: Mapping[str, str], stated: Mapping[str, str], fault: str) -> None:
    (said,) = list_faults(listed, stated, ALLOWED, "here")
    assert said.startswith(fault)


def test_one_allowed_alternative_is_enough() -> None:
    assert is_allowed("Apache-2.0 OR GPL-2.0-or-later", ALLOWED)
    assert is_allowed("GPL-3.0-only", ALLOWED_IN_TOOLS)


def test_metadata_in_words_and_in_expressions_is_understood() -> None:
    assert [find_stated(name) for name in ("asyncpg", "certifi", "jinja2", "no-such-package")] == [
        "Apache-2.0",
        "MPL-2.0",
        "BSD",
        "",
    ]
    packages = {"": {}, "node_modules/a": {"license": "(MIT AND Zlib)"}, "node_modules/a/node_modules/@b/c": {}}
    assert read_npm_lock(json.dumps({"packages": packages})) == {"a": "MIT AND Zlib", "@b/c": ""}
