"""Docstrings begin with a verb or a noun, so that their first sentence can be read without the code below."""

import re
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[3]
_FOLDERS: Final = ("src", "tests", "tools", "benchmarks", "clients")
_RIDDLE: Final = re.compile(
    r'^ *r?"""((?:As|Have|How|Let|One|That|What|Where|Whether|Which|Who|Whom|Whose|Why) .*)', re.MULTILINE
)
"""A beginning that leaves out who acts, or what is returned."""


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """A function returns, raises, locks or writes; a property or field is a noun phrase, or “True if …”."""
    files = [path for folder in _FOLDERS for path in (_ROOT / folder).rglob("*.py") if "node_modules" not in path.parts]
    riddles = {
        f"{path.relative_to(_ROOT)}: {sentence}"
        for path in files
        for sentence in _RIDDLE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(files) > 1000
    assert riddles == set()
