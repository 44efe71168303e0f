"""Docstrings begin with a verb or a noun, so that their first sentence can be read without the code below."""

import re
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[3]
_FOLDERS: Final = ("src", "tests", "tools", "benchmarks", "clients")
_OF_OTHERS: Final = {"node_modules", ".venv"}
_RIDDLE: Final = "(?:As|Have|How|Let|One|That|What|Where|Whether|Which|Who|Whom|Whose|Why)"
"""A beginning that leaves out who acts, or what is returned."""
_DOCSTRING: Final = re.compile(rf'^ *r?"""({_RIDDLE} .*)', re.MULTILINE)
_STATEMENT: Final = re.compile(rf"^-- name: .*\n-- ({_RIDDLE} .*)", re.MULTILINE)


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """A function returns, raises, locks or writes; a property or field is a noun phrase, or “True if …”."""
    assert _find_riddles(_DOCSTRING, "*.py", _FOLDERS, at_least=1000) == []


def test_comments_of_statements_begin_with_a_verb_or_a_noun() -> None:
    assert _find_riddles(_STATEMENT, "*.sql", ("src",), at_least=50) == []


def _find_riddles(pattern: re.Pattern[str], names: str, folders: tuple[str, ...], *, at_least: int) -> list[str]:
    found = (path for folder in folders for path in (_ROOT / folder).rglob(names))
    paths = [path for path in found if _OF_OTHERS.isdisjoint(path.parts)]
    assert len(paths) > at_least
    return [
        f"{path.relative_to(_ROOT)}: {sentence}"
        for path in paths
        for sentence in pattern.findall(path.read_text(encoding="utf-8"))
    ]
