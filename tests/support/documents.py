"""The API's documents, as tests read them."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from meetdeck.app import describe_api
from meetdeck.platform.values import Version

Json = dict[str, Any]

DOCUMENTS = {version: describe_api(version) for version in Version}
EACH_VERSION = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)


def operations_of(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def walk(node: object) -> Iterator[Json]:
    """Yield every object of a document, except examples of a caller's JSON."""
    if isinstance(node, dict):
        yield cast("Json", node)
        for name, member in cast("Json", node).items():
            if name not in {"default", "example", "examples"}:
                yield from walk(member)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            yield from walk(item)
