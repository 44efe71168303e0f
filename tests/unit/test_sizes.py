"""Files and functions stay short enough to be read at once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_MOST_LINES_OF_A_FILE: Final = 400
_MOST_LINES_OF_A_FUNCTION: Final = 45
_LONG: Final = re.compile(rf"^( *)(?:async )?def .*(?:\n(?:\1[ )].*)?){{{_MOST_LINES_OF_A_FUNCTION}}}", re.MULTILINE)
"""A function with at least so many more lines: blank ones, those indented deeper, or the end of its parameters."""


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {
        str(path.relative_to(_ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("src", "tests")
        for path in (_ROOT / folder).rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > _MOST_LINES_OF_A_FILE} == {}


def test_no_function_is_longer_than_45_lines() -> None:
    assert dict(_list_long_functions(_ROOT / "src")) == {}


def _list_long_functions(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and length of each function that is too long.

    The options of a command are declared by its signature and its docstring, which are left out there.
    """
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not _LONG.search(text):  # parsing all of the source would take four seconds
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = _find_body(node) if path.parent.name == "cli" else node.lineno
                length = (node.end_lineno or 0) - first + 1
                if length > _MOST_LINES_OF_A_FUNCTION:
                    yield f"{path.relative_to(_ROOT)}: {node.name}", length


def _find_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the line of the first statement after the docstring."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return function.body[min(has_docstring, len(function.body) - 1)].lineno
