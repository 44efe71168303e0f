"""The API's documents, as tests read them: made when the first test reads one, since that takes seconds."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

import pytest

from meetdeck.app import describe_api
from meetdeck.platform.values import Version

Json = dict[str, Any]

_describe = cache(describe_api)


class _Documents(Mapping[Version, Json]):
    def __getitem__(self, version: Version) -> Json:
        return _describe(version)

    def __iter__(self) -> Iterator[Version]:
        return iter(Version)

    def __len__(self) -> int:
        return len(Version)


DOCUMENTS = _Documents()
EACH_VERSION = pytest.mark.parametrize("document", Version, ids=str, indirect=True)
"""Calls a test with the document of each version: the fixture `document` gets it."""


def operations_of(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the path, method and operation of each, with the shared parts to which it refers."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, follow(operation, document)


def follow(node: Any, document: Json) -> Any:
    """Return a part of a document with what it refers to in place of references, but for schemas.

    Members beside a reference override those that it leads to (OpenAPI 3.1, section 4.8.23).
    """
    if isinstance(node, list):
        return [follow(item, document) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    members = cast("Json", node)
    reference = members.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#/components/schemas/"):
        _, _, kind, name = reference.split("/")
        members = document["components"][kind][name] | {key: one for key, one in members.items() if key != "$ref"}
    return {key: follow(one, document) for key, one in members.items()}


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
