"""Queries are called by the names that they have in their `.sql` files, which no type checker sees."""

import re
from pathlib import Path

import meetdeck

SOURCE = Path(meetdeck.__file__).parent
_CALL = re.compile(r"\bqueries\.([a-z_]+)\(")
_NAME = re.compile(r"^-- name: ([a-z_]+)", re.MULTILINE)


def test_each_called_query_stands_in_a_file_of_its_folder_or_one_above() -> None:
    missing = list[str]()
    for module in SOURCE.rglob("*.py"):
        called = {name.removesuffix("_cursor") for name in _CALL.findall(module.read_text("utf-8"))}
        if called:
            folders = [module.parent, *module.parent.parents[:2]]
            named = {
                name
                for each in folders
                for file in each.glob("*.sql")
                for name in _NAME.findall(file.read_text("utf-8"))
            }
            missing += [f"{module.relative_to(SOURCE)}: {name}" for name in sorted(called - named)]
    assert missing == []
