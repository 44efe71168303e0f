"""Descriptions of a Struct's members in the documents: the docstrings below them in the source."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import ModuleType

import msgspec


@cache
def read_member_docstrings(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the docstring below each member of a Struct, by the member's Python name; its bases' members too."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= read_own_docstrings(base)
    return found


def read_own_docstrings(struct: type) -> dict[str, str]:
    """Return the docstring below each member that a class itself declares, by the member's name."""
    module = inspect.getmodule(struct)
    body = _read_classes(module).get(struct.__name__, []) if module else []
    return dict(_pair_docstrings(body))


@cache
def _read_classes(module: ModuleType) -> Mapping[str, list[ast.stmt]]:
    """Return the statements of each class of a module, by its name."""
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}


def _pair_docstrings(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for member, below in pairwise(body):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            match below:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield member.target.id, inspect.cleandoc(text)
                case _:
                    pass
