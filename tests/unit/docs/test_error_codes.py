"""The tables of docs/api/error-codes.md have every code of our errors, with its status, and no other."""

import ast
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from meetdeck.platform.http.answers.problems import STATUS_BY_KIND
from meetdeck.platform.process import no_garbage_collection

_ROOT: Final = Path(__file__).parents[3]
_SECTION: Final = (_ROOT / "docs/api/error-codes.md").read_text(encoding="utf-8")
_OF_THE_API, _, _OF_PAGES = _SECTION.partition("\n## Codes of pages and commands\n")
_STATUSES: Final = {kind.__name__: status for kind, status in STATUS_BY_KIND.items()}
_ANSWERS: Final = frozenset({"Refusal", "_answer", "write_problem"})
"""The functions of the HTTP layer that take a status and a code beside it."""
_CODES: Final = r"`[a-z_]+`(?:, `[a-z_]+`)*"


class ErrorClass(NamedTuple):
    """A class of the source: its bases, and the code that it sets itself."""

    bases: tuple[str, ...]
    code: str | None


@no_garbage_collection()  # it would take longer than all the rest
def read_source() -> tuple[dict[str, list[ErrorClass]], set[str], set[tuple[int, str]]]:
    """Return the classes by name, the names that are called or raised, and what the HTTP layer answers by itself."""
    classes: dict[str, list[ErrorClass]] = {}
    used: set[str] = set()
    answered: set[tuple[int, str]] = set()
    for path in sorted((_ROOT / "src/meetdeck").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases = tuple(base.id for base in node.bases if isinstance(base, ast.Name))
                one = ErrorClass(bases, find_code(node))
                classes.setdefault(node.name, []).append(one)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used.add(node.func.id)
                if node.func.id in _ANSWERS:
                    answered.update(pair_neighbours(node.args))
            elif isinstance(node, ast.Dict) and path.name == "problems.py":
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is not None and isinstance(value, ast.Tuple):
                        answered.update(pair_neighbours([key, *value.elts]))
    return classes, used, answered


def find_code(node: ast.ClassDef) -> str | None:
    for line in node.body:
        if (
            isinstance(line, ast.Assign)
            and isinstance(line.targets[0], ast.Name)
            and line.targets[0].id == "code"
            and isinstance(line.value, ast.Constant)
        ):
            return str(line.value.value)
    return None


def pair_neighbours(nodes: list[ast.expr]) -> Iterator[tuple[int, str]]:
    """Yield each `HTTPStatus.…` with the code behind it."""
    for status, code in pairwise(nodes):
        if (
            isinstance(status, ast.Attribute)
            and isinstance(code, ast.Constant)
            and status.attr in HTTPStatus.__members__
        ):
            yield HTTPStatus[status.attr], str(code.value)


def find_status(name: str, classes: Mapping[str, list[ErrorClass]]) -> int | None:
    """Return the status of a class of errors; None for any other class."""
    if name in _STATUSES:
        return _STATUSES[name]
    statuses = (find_status(base, classes) for one in classes.get(name, []) for base in one.bases)
    return next((status for status in statuses if status is not None), None)


def list_codes() -> set[tuple[int, str]]:
    classes, used, answered = read_source()
    return answered | {
        (status, one.code)
        for name, those in classes.items()
        if (status := find_status(name, classes)) is not None
        for one in those
        if one.code is not None and (name not in _STATUSES or name in used)
    }


def test_each_code_of_the_source_is_in_a_table_and_each_code_of_a_table_in_the_source() -> None:
    in_source = list_codes()
    assert len(in_source) > 110
    of_the_api = {
        (int(status), code)
        for status, codes in re.findall(rf"^\| (\d+) \| ({_CODES}) \|", _OF_THE_API, re.MULTILINE)
        for code in re.findall("[a-z_]+", codes)
    }
    of_pages = {
        code
        for codes in re.findall(rf"^\| ({_CODES}) \|", _OF_PAGES, re.MULTILINE)
        for code in re.findall("[a-z_]+", codes)
    }
    missing = {(status, code) for status, code in in_source - of_the_api if code not in of_pages}
    unknown = (of_the_api - in_source) | {(0, code) for code in of_pages - {code for _, code in in_source}}
    assert (missing, unknown) == (set(), set())


def test_rows_are_in_the_order_of_their_statuses() -> None:
    statuses = [int(status) for status in re.findall(r"^\| (\d+) \|", _OF_THE_API, re.MULTILINE)]
    assert statuses == sorted(statuses)
