"""Explains why nothing is at an address: perhaps only an id in it is none."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any
from uuid import UUID

from litestar.routes import BaseRoute
from litestar.types.internal_types import PathParameterDefinition


def find_wrong_id(path: str, routes: Iterable[BaseRoute]) -> str | None:
    """Return the part of an address that would have to be a UUID; None if that is not what is wrong with it."""
    parts = path.strip("/").split("/")
    found = (_find_wrong_part(parts, route.path_components) for route in routes)
    return next((wrong for wrong in found if wrong is not None), None)


def _find_wrong_part(parts: Sequence[str], components: Sequence[str | PathParameterDefinition]) -> str | None:
    wrong: str | None = None
    for part, component in zip_longest(parts, components):
        if isinstance(component, PathParameterDefinition) and part:
            if component.type is UUID and not _is_uuid(part):
                wrong = wrong or part
        elif part != component:
            return None
    return wrong


def _is_uuid(text: Any) -> bool:  # noqa: ANN401 - a part of an address
    try:
        UUID(text)
    except ValueError:
        return False
    return True
