"""An OpenAPI document as operations with everything that their pages show."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tools.manual.markdown import make_slug

Json = dict[str, Any]

_CODE: Final = re.compile(r"`([a-z][a-z0-9_]*)`")
_LINE: Final = re.compile(r"^- (\d{3}): (.+)$", re.MULTILINE)
"""A status in the description of the refusals that any operation can answer."""
_FIRST_REFUSAL: Final = 400


class Parameter(NamedTuple):
    """A parameter of an operation's path or query."""

    name: str
    place: str
    required: bool
    description: str
    schema: Json
    example: Any
    """A value that works; None if the document has none."""


class Content(NamedTuple):
    """A body or an answer in one media type."""

    media_type: str
    schema: Json
    example: Any


class Answer(NamedTuple):
    """An answer that is not a refusal."""

    status: str
    description: str
    contents: list[Content]


class Refusal(NamedTuple):
    """The codes with which an operation can refuse a request, for one status."""

    status: str
    codes: list[str]


class Operation(NamedTuple):
    """An operation: a method of an address."""

    name: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    role: str
    parameters: list[Parameter]
    headers: list[str]
    bodies: list[Content]
    answers: list[Answer]
    refusals: list[Refusal]


class Place(NamedTuple):
    """The page and anchor of an operation."""

    page: str
    anchor: str


def list_operations(document: Json) -> list[Operation]:
    """Return all operations in the document's order."""
    return [
        _read_operation(document, method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]


def find_places(operations: list[Operation]) -> dict[str, Place]:
    """Return the page below `api-v…` and the anchor of each operation, by its name."""
    taken: dict[str, dict[str, str]] = {}
    places: dict[str, Place] = {}
    for operation in operations:
        anchors = taken.setdefault(operation.tag, {})
        anchor = make_slug(operation.summary, anchors)
        anchors[anchor] = operation.name
        places[operation.name] = Place(make_slug(operation.tag, {}), anchor)
    return places


def resolve(document: Json, node: Json) -> Json:
    """Return what a node refers to, with the node's own members over it; a node without `$ref` as it is."""
    if "$ref" not in node:
        return node
    *_, kind, name = node["$ref"].split("/")
    own = {key: value for key, value in node.items() if key != "$ref"}
    return {**document["components"][kind][name], **own}


def _read_operation(document: Json, method: str, path: str, operation: Json) -> Operation:
    parameters = [resolve(document, each) for each in operation.get("parameters", [])]
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        tag=operation["tags"][0],
        summary=operation["summary"],
        description=operation.get("description", ""),
        role=operation.get("x-required-role", ""),
        parameters=[_read_parameter(each) for each in parameters if each["in"] != "header"],
        headers=[each["name"] for each in parameters if each["in"] == "header"],
        bodies=list(_read_contents(operation.get("requestBody", {}))),
        answers=[
            Answer(status, answer["description"], list(_read_contents(answer)))
            for status, answer in _list_answers(document, operation)
            if int(status) < _FIRST_REFUSAL
        ],
        refusals=list(_read_refusals(document, operation)),
    )


def _read_parameter(parameter: Json) -> Parameter:
    schema = parameter["schema"]
    example = parameter.get("example", next(iter(schema.get("examples", [])), None))
    required = parameter.get("required", False)
    return Parameter(parameter["name"], parameter["in"], required, parameter.get("description", ""), schema, example)


def _read_contents(node: Json) -> Iterator[Content]:
    for media_type, content in node.get("content", {}).items():
        yield Content(media_type, content.get("schema", {}), content.get("example"))


def _list_answers(document: Json, operation: Json) -> Iterator[tuple[str, Json]]:
    for status, answer in operation["responses"].items():
        if status.isdecimal():
            yield status, resolve(document, answer)


def _read_refusals(document: Json, operation: Json) -> Iterator[Refusal]:
    """Yield the refusals of an operation by status, those that any operation can answer included."""
    told: dict[str, str] = {}
    for status, answer in operation["responses"].items():
        words = [resolve(document, {"$ref": answer["$ref"]})["description"]] if "$ref" in answer else []
        text = " ".join([*words, answer.get("description", "")])
        if status == "default":
            told = dict(_LINE.findall(text)) | told
        elif status.isdecimal() and int(status) >= _FIRST_REFUSAL:
            told[status] = text
    for status, text in sorted(told.items()):
        yield Refusal(
            status, list(dict.fromkeys(code for part in text.split("`code`")[1:] for code in _CODE.findall(part)))
        )


def list_types(document: Json, nodes: list[Json]) -> list[str]:
    """Return the names of all schemas that the nodes refer to, also through others, by name."""
    found: dict[str, None] = {}
    waiting = list(nodes)
    while waiting:
        for name in _find_references(waiting.pop()):
            if name not in found:
                found[name] = None
                waiting.append(document["components"]["schemas"][name])
    return sorted(found)


def _find_references(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():  # pyright: ignore[reportUnknownVariableType] - JSON
            if key == "$ref" and isinstance(value, str) and "/schemas/" in value:
                yield value.rpartition("/")[2]
            else:
                yield from _find_references(value)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(node, list):
        for each in node:  # pyright: ignore[reportUnknownVariableType] - JSON
            yield from _find_references(each)  # pyright: ignore[reportUnknownArgumentType]
