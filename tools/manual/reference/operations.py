"""The pages of all operations: one for each tag of the API's two documents."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from tools.manual.highlighting import highlight
from tools.manual.markdown import Body, Heading, make_slug
from tools.manual.reference.calls import (
    Example,
    choose_example,
    fill_path,
    write_curl,
    write_json,
    write_python,
    write_typescript,
)
from tools.manual.reference.document import Json, Operation, Refusal, find_places, list_operations, list_types
from tools.manual.reference.types import Member, Type, anchor_of, describe_type, list_members, name_limits, name_type
from tools.manual.reference.words import write_blocks, write_inline
from tools.manual.rendering import fill

from meetdeck.pages.icons import icon
from meetdeck.platform.values import Version

_TYPES: Final = Heading(2, "Types", "types")


class _Shown(NamedTuple):
    """An operation with what its section needs beside it."""

    operation: Operation
    anchor: str
    example: Example
    calls: Sequence[tuple[str, Markup]]
    answer: Markup | None
    """The example of its answer in JSON."""
    refusals: Sequence[Refusal]
    """Those that not every operation has."""
    address: str
    """Its place on the API page, with the values of the example."""


def make_pages(version: Version, document: Json) -> dict[str, Body]:
    """Return the pages of a version's document by name."""
    operations = list_operations(document)
    common = _find_common(operations)
    return {
        f"reference/api-{version}/{make_slug(tag['name'], {})}": _make_page(
            version, document, tag, [each for each in operations if each.tag == tag["name"]], common
        )
        for tag in document["tags"]
    }


def _find_common(operations: Sequence[Operation]) -> frozenset[tuple[str, str]]:
    """Return the statuses and codes that every operation can answer."""
    each = [{(refusal.status, code) for refusal in one.refusals for code in refusal.codes} for one in operations]
    return frozenset(each[0].intersection(*each))


def _make_page(
    version: Version, document: Json, tag: Json, operations: Sequence[Operation], common: frozenset[tuple[str, str]]
) -> Body:
    places = find_places([*operations])
    shown = [_show(version, document, one, common, places[one.name].anchor) for one in operations]
    schemas = [body.schema for one in operations for body in one.bodies]
    schemas += [content.schema for one in operations for answer in one.answers for content in answer.contents]
    schemas += [parameter.schema for one in operations for parameter in one.parameters]
    types = [describe_type(name, document["components"]["schemas"][name]) for name in list_types(document, schemas)]
    html = fill(
        "operations.html",
        version=version,
        shown=shown,
        types=types,
        document=document,
        icon=icon,
        anchor_of=anchor_of,
        list_members=partial(_list_members, document),
        name_type=name_type,
        name_limits=name_limits,
        write_blocks=write_blocks,
        write_inline=write_inline,
    )
    headings = [Heading(2, each.operation.summary, each.anchor) for each in shown] + ([_TYPES] if types else [])
    return Body(
        title=tag["name"] if version is Version.V3 else f"{tag['name']} (v2)",
        html=f"<p>{write_inline(tag.get('description', ''))}</p>\n{html}",
        lead=tag.get("description", ""),
        headings=headings,
        anchors=frozenset({*(each.anchor for each in headings), *_list_anchors(types)}),
        links=[
            f"reference/error-codes#{code}" for each in shown for refusal in each.refusals for code in refusal.codes
        ],
        wide=True,
        types=[each.name for each in types],
    )


def _list_anchors(types: Sequence[Type]) -> Iterator[str]:
    yield from (anchor_of(each.name) for each in types)


def _show(
    version: Version, document: Json, operation: Operation, common: frozenset[tuple[str, str]], anchor: str
) -> _Shown:
    example = choose_example(document, operation)
    calls = [write_curl(operation, example)]
    if version is Version.V3:  # the libraries are made from it
        calls += [write_python(document, operation, example), write_typescript(operation, example)]
    own = [
        Refusal(status, [code for code in codes if (status, code) not in common])
        for status, codes in operation.refusals
    ]
    highlighted = [(call.name, Markup(highlight(call.code, call.language))) for call in calls]  # noqa: S704 - escaped
    return _Shown(
        operation=operation,
        anchor=anchor,
        example=example,
        calls=highlighted,
        answer=_show_answer(operation),
        refusals=[refusal for refusal in own if refusal.codes],
        address=_address_on_api_page(version, operation, example),
    )


def _show_answer(operation: Operation) -> Markup | None:
    contents = (content for answer in operation.answers for content in answer.contents)
    example = next((content.example for content in contents if content.example is not None), None)
    return None if example is None else Markup(highlight(write_json(example), "json"))  # noqa: S704 - escaped


def _address_on_api_page(version: Version, operation: Operation, example: Example) -> str:
    """Return the address of an operation on the API page, which fills in the values of its query string."""
    values = fill_path("&".join(f"{name}={{{name}}}" for name in example.path), example.path)
    query = f"version={version}" + (f"&{values}" if values else "")
    return f"docs/api?{query}#/{operation.tag.replace(' ', '%20')}/{operation.name}"


def _list_members(document: Json, schema: Json) -> list[Member]:
    return list_members(_find_object(document, schema))


def _find_object(document: Json, schema: Json) -> Json:
    """Return the schema of a body's object, or of the objects in its list."""
    node: Any = schema
    while True:
        if "$ref" in node:
            node = document["components"]["schemas"][node["$ref"].rpartition("/")[2]]
        elif node.get("type") == "array":
            node = node.get("items", {})
        else:
            return node
