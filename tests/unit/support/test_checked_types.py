"""`make check` checks the types of what a change reaches."""

import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

_SCRIPT: Final[Mapping[str, Any]] = runpy.run_path(str(Path(__file__).parents[3] / "tools/check_types.py"))
FILES: Final = {
    "src/meetdeck/platform/database/pool.py": "import asyncpg\n",
    "src/meetdeck/app.py": "from meetdeck.platform.database.pool import Database\n",
    "src/meetdeck/labels/service/__init__.py": '"""Labels."""\n',
    "src/meetdeck/labels/endpoints.py": "from meetdeck.labels import (\n    errors,\n    service,\n)\n",
    "src/meetdeck/web.py": "if True:\n    from meetdeck import labels, app as application\n",
    "tests/support/factories.py": "import meetdeck.app as app\n",
    "tests/unit/test_app.py": "from support.factories import Api\n",
}


@pytest.mark.parametrize(
    ("changed", "reached"),
    [
        ("src/meetdeck/platform/database/pool.py", {"src/meetdeck/app.py"}),
        ("src/meetdeck/app.py", {"src/meetdeck/web.py", "tests/support/factories.py"}),
        ("src/meetdeck/labels/service/__init__.py", {"src/meetdeck/labels/endpoints.py"}),
        ("tests/support/factories.py", {"tests/unit/test_app.py"}),
        ("tests/unit/test_app.py", set[str]()),
    ],
)
def test_whoever_imports_what_changed_is_reached(changed: str, reached: set[str]) -> None:
    find_reached: Callable[..., set[str]] = _SCRIPT["find_reached"]
    assert find_reached([changed], FILES) == {changed} | reached


def test_what_is_gone_or_no_python_is_not_checked() -> None:
    assert _SCRIPT["find_reached"](["src/meetdeck/gone.py", "docs/api/index.md"], FILES) == set()
