"""The schemas of an OpenAPI document: of the Structs in answers, and of those in requests.

A Struct used in both has two schemas where they differ: an answer has all members; a request may leave members out, or
say null for them. The latter is then called `Given…`.
"""

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import Enum
from inspect import cleandoc
from typing import Any, TypeGuard, cast, get_args

import msgspec

from meetdeck.platform.http.openapi.texts import read_member_docstrings
from meetdeck.platform.values import (
    Duration,
    Moment,
    TimeOfDay,
    UploadedFile,
    Version,
    describe_deprecation,
    may_be_left_out,
    options_of,
    take_deprecation,
    write_json,
)
from meetdeck.platform.values.patching.operations import OPERATIONS
from meetdeck.platform.values.patching.reading import MOST_OPERATIONS

Json = dict[str, Any]
StructType = type[msgspec.Struct]

REF = "#/components/schemas/"
JSON_PATCH = "JsonPatch"

_NULL: Json = {"type": "null"}


class Schemas:
    """The component schemas of one document, and the names by which its operations refer to them."""

    def __init__(
        self, version: Version, *, taken: set[StructType], answered: set[StructType], queries: set[StructType]
    ) -> None:
        read = _describe_structs(taken, version, _finish_taken)
        self.components = _describe_structs(answered, version, _finish_answered)
        self._renamed = _rename_what_differs(read, self.components)
        self.components |= {self._renamed.get(name, name): schema for name, schema in read.items()}
        self.components |= _describe_structs(queries, version, _finish_query)
        self.components |= _describe_json_patch()

    def refer_to_answered(self, struct: StructType) -> Json:
        """Return the reference to the schema of an answer."""
        return {"$ref": REF + struct.__name__}

    def refer_to_taken(self, struct: StructType) -> Json:
        """Return the schema of a type in requests."""
        return {"$ref": REF + self._renamed.get(struct.__name__, struct.__name__)}

    def keep_used(self, paths: Json) -> Json:
        """Return the components that the paths lead to, in the order of their names."""
        used: set[str] = set()
        queue = _find_references(paths)
        while queue:
            name = queue.pop()
            if name not in used:
                used.add(name)
                queue |= _find_references(self.components[name])
        return {name: self.components[name] for name in sorted(used)}


def is_struct(annotation: object) -> TypeGuard[StructType]:
    """Return whether it is a Struct, which the document names among its schemas."""
    return isinstance(annotation, type) and issubclass(annotation, msgspec.Struct)


def describe_type(kind: type) -> Json:
    """Return the schema of a wire type of ours; msgspec's `schema_hook`."""
    if kind is Duration:
        return {"type": "string", "description": "hh:mm:ss, or d.hh:mm:ss.", "examples": ["01:30:00", "7.00:00:00"]}
    if kind is Moment:
        return {"type": "string", "format": "date-time"}
    if kind is TimeOfDay:
        return {"type": "string", "examples": ["09:00:00"]}  # no `format`: the one for times wants an offset
    if kind is UploadedFile:
        return {"type": "string", "format": "binary"}
    raise NotImplementedError(kind)


_Finish = Callable[[msgspec.structs.FieldInfo, Json], bool]
"""Finishes a member's schema, and returns whether the member is always present."""


def _finish_answered(field: msgspec.structs.FieldInfo, member: Json) -> bool:
    member.pop("default", None)
    if member.pop("x-optional", False):
        return False
    return "x-since" in member or msgspec.UnsetType not in options_of(field.type)


def _finish_taken(field: msgspec.structs.FieldInfo, member: Json) -> bool:
    """Describe in words a member that may be left out: generators use `default` for a member that is present."""
    default = member.pop("default", None)
    if default not in (None, "", [], {}):
        shown = default if isinstance(default, str) else json.dumps(default, ensure_ascii=False)
        _describe(member, f"Default `{shown}`.")
    if may_be_left_out(field) or _NULL in member.get("anyOf", []):
        _let_be_null(member)
    return field.required


def _finish_query(field: msgspec.structs.FieldInfo, member: Json) -> bool:
    """Remove null from a query's schema: a query cannot express it."""
    if member.get("default", ...) is None:
        del member["default"]
    choices = [choice for choice in member.get("anyOf", []) if choice != _NULL]
    if len(choices) == 1:
        del member["anyOf"]
        member |= choices[0] | member
    return field.required


def _describe_structs(structs: Iterable[StructType], version: Version, finish: _Finish) -> Json:
    """Return the schema of each Struct and enumeration by its name."""
    _, components = msgspec.json.schema_components(
        sorted(structs, key=lambda struct: struct.__name__), schema_hook=describe_type, ref_template=REF + "{name}"
    )
    kinds = _with_nested(structs)
    for kind in kinds:
        schema = components[kind.__name__]
        schema.pop("title", None)  # it is the name again, which generators would prefer to a new one
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        if issubclass(kind, Enum):
            schema["enum"] = [one.value for one in kind]  # msgspec sorts them by letter
            schema["type"] = "integer" if issubclass(kind, int) else "string"
    for kind in kinds:
        if is_struct(kind):
            _write_members(kind, components, version, finish)
    return components


def _write_members(struct: StructType, components: Json, version: Version, finish: _Finish) -> None:
    """Add to a Struct's schema the facts that msgspec cannot know of its members."""
    schema = components[struct.__name__]
    texts = read_member_docstrings(struct)
    always: list[str] = []
    for field in msgspec.structs.fields(struct):
        member = schema["properties"][field.encode_name]
        if version is Version.V2 and member.get("x-since") == "v3":
            del schema["properties"][field.encode_name]
            continue
        _write_default(field, member)
        _write_formats(field, member)
        deprecation = take_deprecation(member)
        _describe_member(member, texts.get(field.name), components)
        if deprecation is not None:
            _describe(member, describe_deprecation(deprecation))
        _name_choices(struct, field, member, components)
        omitted = struct.__struct_config__.omit_defaults and not field.required
        if finish(field, member) and not omitted:
            always.append(field.encode_name)
        _join_null(member)
    schema.pop("required", None)
    if always:
        schema["required"] = always


def _describe_member(member: Json, docstring: str | None, components: Json) -> None:
    """Describe a member by its docstring and what its type adds to it; without either, by its type."""
    described = [choice.pop("description") for choice in member.get("anyOf", []) if "description" in choice]
    texts = [text for text in (docstring, member.pop("description", None), *described) if text]
    if not texts:
        kinds = (choice.get("$ref", "") for choice in (member, *member.get("anyOf", [])))
        named = [components[kind.removeprefix(REF)].get("description") for kind in kinds if kind]
        texts = [text for text in named if text]
    if texts:
        member["description"] = " ".join(dict.fromkeys(texts))


def _write_default(field: msgspec.structs.FieldInfo, member: Json) -> None:
    """Write a default that msgspec cannot: that of our own wire types, which Structs give as `default_factory`."""
    if field.default_factory is not msgspec.NODEFAULT:
        member["default"] = msgspec.json.decode(write_json(field.default_factory()))


def _write_formats(field: msgspec.structs.FieldInfo, member: Json) -> None:
    """Write that a text is a date and time, which msgspec does only where it checks for an offset.

    Also write that an object of any members may have any: otherwise generators make an object without members.
    """
    choices = [member, *member.get("anyOf", [])]
    for choice in (*choices, *(choice["items"] for choice in choices if "items" in choice)):
        if choice.get("type") == "string" and _mentions(field.type, datetime):
            choice["format"] = "date-time"
        if choice.get("type") == "object":
            choice.setdefault("additionalProperties", True)
            choice["title"] = field.encode_name.capitalize()  # of which generators make `SlideEntryData`


def _mentions(annotation: Any, kind: type) -> bool:  # noqa: ANN401 - any annotation
    return annotation is kind or any(_mentions(option, kind) for option in get_args(annotation))


def _name_choices(struct: StructType, field: msgspec.structs.FieldInfo, member: Json, components: Json) -> None:
    """Make the choices of a `Literal` a schema of its own, so that generators need not invent a name for it."""
    if "enum" in member:
        name = struct.__name__ + field.encode_name[0].upper() + field.encode_name[1:]
        description = {"description": member["description"]} if "description" in member else {}
        components[name] = {"type": "string", "enum": list(_literals_of(field.type))} | description
        del member["enum"]
        member["$ref"] = REF + name


def _literals_of(annotation: Any) -> Iterable[str]:  # noqa: ANN401 - any annotation
    for one in get_args(annotation):
        if isinstance(one, str):
            yield one
        else:
            yield from _literals_of(one)


def _let_be_null(member: Json) -> None:
    """Make a member nullable: null then counts as missing (docs/api/index.md#body-members)."""
    all_choices = member.pop("anyOf") if "anyOf" in member else [_take_type(member)]
    choices = [choice for choice in all_choices if choice != _NULL]
    if len(choices) == 1 and "type" in choices[0]:
        member |= choices[0] | {"type": [choices[0]["type"], "null"]}
    else:
        member["anyOf"] = [*choices, _NULL]


def _join_null(member: Json) -> None:
    """Write null into the list of types of a member that has one other type."""
    match member.get("anyOf"):
        case [{"type": str(kind)} as choice, {"type": "null"}]:
            del member["anyOf"]
            member |= choice | {"type": [kind, "null"]}
        case _:
            pass


def _take_type(member: Json) -> Json:
    """Move the keywords about its type out of a member's schema, and return them; those for people stay."""
    return {name: member.pop(name) for name in list(member) if name not in {"description", "examples"}}


def _describe(member: Json, text: str) -> None:
    member["description"] = f"{member['description']} {text}" if "description" in member else text


def _with_nested(annotations: Iterable[Any]) -> list[type[msgspec.Struct | Enum]]:
    """Return the Structs and enumerations in some annotations, and those in the annotations of their members."""
    found: dict[type[msgspec.Struct | Enum], None] = {}
    queue = list(annotations)
    for annotation in queue:
        if is_struct(annotation) and annotation not in found:
            found[annotation] = None
            queue += [field.type for field in msgspec.structs.fields(annotation)]
        elif isinstance(annotation, type) and issubclass(annotation, Enum):
            found[annotation] = None
        queue += get_args(annotation)
    return list(found)


def _rename_what_differs(read: Json, answered: Json) -> dict[str, str]:
    """Return new names for the schemas that differ between requests and answers, and for those that refer to them."""
    renamed: dict[str, str] = {}
    while True:
        differing = {name for name in read.keys() & answered.keys() if read[name] != answered[name]}
        if not differing - renamed.keys():
            return renamed
        renamed |= {name: f"Given{name}" for name in differing}
        for schema in read.values():
            _rename_references(schema, renamed)


def _rename_references(node: object, renamed: dict[str, str]) -> None:
    if isinstance(node, dict):
        members = cast("Json", node)
        if isinstance(reference := members.get("$ref"), str):
            name = reference.removeprefix(REF)
            members["$ref"] = REF + renamed.get(name, name)
        for member in members.values():
            _rename_references(member, renamed)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            _rename_references(item, renamed)


def _find_references(node: object) -> set[str]:
    return set(re.findall(f'"\\$ref": ?"{REF}([^"]+)"', json.dumps(node)))


def _describe_json_patch() -> Json:
    """Return the schemas of a JSON Patch: operations of one form, which every generator can make a type of."""
    tags = {str(one.__struct_config__.tag): cleandoc(one.__doc__ or "") for one in OPERATIONS}
    pointer = {"type": "string", "examples": ["/title", "/labels/-"]}
    return {
        "PatchOp": {
            "type": "string",
            "enum": list(tags),
            "description": "The kind of an operation.\n\n"
            + "\n".join(f"- `{tag}`: {text}" for tag, text in tags.items()),
        },
        "PatchOperation": {
            "type": "object",
            "description": "One operation of a JSON Patch (RFC 6902).",
            "properties": {
                "op": {"$ref": f"{REF}PatchOp", "description": "What to do."},
                "path": pointer | {"description": "A JSON Pointer (RFC 6901) into the resource as GET returns it."},
                "value": {"description": "The value to add, set or compare; `add`, `replace` and `test` require it."},
                "from": pointer
                | {"description": "The pointer to the value to move or copy; `move` and `copy` require it."},
            },
            "required": ["op", "path"],
        },
        JSON_PATCH: {
            "type": "array",
            "description": "Operations in their order: all of them apply, or none.",
            "items": {"$ref": f"{REF}PatchOperation"},
            "maxItems": MOST_OPERATIONS,
        },
    }
