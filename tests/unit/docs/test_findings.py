"""The table of findings in docs/templates/findings.md has every code that the engine can report, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_ENGINE = _ROOT / "src/meetdeck/present/deck"
_PAGE = _ROOT / "docs/templates/findings.md"
# What makes a finding of a code, and how severe it is; `_SAY_IT` are told.
_REFUSALS = dict.fromkeys(("error", "_report", "_refuse", "_refusal"), "Error")
_MAKERS = _REFUSALS | {
    "warning": "Warning",
    "info": "Info",
    "report_value": "Warning",
    "UnresolvedReference": "Warning",
}
_SAY_IT = frozenset({"TagFinding", "Finding"})
_CODE = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_ROW = re.compile(r"^\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \| (Error|Warning|Info) \| ", re.MULTILINE)


def test_every_code_of_the_engine_is_in_the_table_with_its_severity() -> None:
    in_source = {found for path in _ENGINE.rglob("*.py") for found in _codes(ast.parse(path.read_text()))}
    assert len(in_source) > 40
    in_page = {
        (code, severity)
        for codes, severity in _ROW.findall(_PAGE.read_text())
        for code in re.findall("[a-z0-9-]+", codes)
    }
    assert in_page == in_source


def _codes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        words = [text for text in texts if isinstance(text, str)]
        if name in _SAY_IT and len(words) > 1:
            yield words[1], words[0]
        elif name in _MAKERS and words and _CODE.fullmatch(words[0]):
            yield words[0], _MAKERS[name]
