"""Queries are called by the names that they have in their `.sql` files, which no type checker sees."""

import re
from pathlib import Path

import meetdeck
from meetdeck.platform.database import load_queries

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


def test_an_optional_part_is_left_out_unless_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "queries.sql").write_text("-- name: look$\nselect 1\n-- only more\n, :more\n-- end\nfrom here;\n")
    beside = str(tmp_path / "store.py")
    assert load_queries(beside).look.sql.split() == ["select", "1", "from", "here;"]
    assert load_queries(beside, including={"more"}).look.sql.split() == ["select", "1", ",", "$1", "from", "here;"]
