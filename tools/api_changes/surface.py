"""The promises of an OpenAPI document, without its words: operations, types, events and codes, as compact JSON.

A type is written as its alternatives, `string|null`; a list as `Room[]`, an object of any names as `string{}`; limits
follow it, `string max=200`. A name that ends with `!` is required, or in an answer always there.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from tools.manual.reference.document import resolve

Json = dict[str, Any]

_CODE: Final = re.compile(r"`([a-z][a-z0-9_]+)`")
_VERSION: Final = re.compile(r"^/api/v\d")
_LIMITS: Final = {
    "maxLength": "max",
    "maxItems": "max",
    "maximum": "max",
    "maxProperties": "max",
    "minLength": "min",
    "minItems": "min",
    "minimum": "min",
}
_FIRST_REFUSAL: Final = 400


def read_surface(document: Json) -> Json:
    """Return what callers of a document's API rely on."""
    events = {
        str(name): _name_data(item["post"]["requestBody"]["content"]["application/json"]["schema"])
        for name, item in document.get("webhooks", {}).items()
    }
    operations = {
        f"{method.upper()} {_VERSION.sub('', path)}": _read_operation(document, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }
    return {
        "operations": operations,
        "types": {name: _read_type(schema) for name, schema in document["components"]["schemas"].items()},
        "events": events,
        "codes": sorted(set(_list_codes(document))),
    }


def _name_data(event: Json) -> str:
    """Return the type of an event's data: its schema is that of every event and one with its own members."""
    return name_type(event["allOf"][1]["properties"].get("data", {}))


def _read_operation(document: Json, operation: Json) -> Json:
    parameters = [resolve(document, each) for each in operation.get("parameters", [])]
    body = operation.get("requestBody", {})
    answers: Json = {}
    for status, written in operation["responses"].items():
        answer = resolve(document, written)
        if status.isdecimal() and int(status) < _FIRST_REFUSAL:
            answers[status] = {
                media_type: name_type(content["schema"]) for media_type, content in answer.get("content", {}).items()
            }
    taken = {media_type: name_type(content["schema"]) for media_type, content in body.get("content", {}).items()}
    return {
        "id": operation["operationId"],
        "parameters": {
            f"{each['in']} {each['name']}{'!' if each.get('required') else ''}": _read_member(each["schema"])
            for each in parameters
        },
        **({f"body{'!' if body.get('required') else ''}": taken} if taken else {}),
        "answers": answers,
    }


def _read_type(schema: Json) -> Any:  # noqa: ANN401 - JSON
    """Return the values of an enumeration, the members of an object, or the type that another name stands for."""
    if "enum" in schema:
        return [str(value) for value in schema["enum"]]
    if "properties" not in schema:
        return _read_member(schema)
    required = set(schema.get("required", []))
    return {
        f"{name}{'!' if name in required else ''}": _read_member(member)
        for name, member in schema["properties"].items()
    }


def _read_member(schema: Json) -> str:
    limits = [f"{name}={schema[key]}" for key, name in _LIMITS.items() if key in schema]
    return " ".join([name_type(schema), *limits])


def name_type(schema: Json) -> str:
    """Return the alternatives of a schema, in the order of their names."""
    return "|".join(sorted(set(_list_alternatives(schema))))


def _list_alternatives(schema: Json) -> Iterator[str]:
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
        return
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        for choice in choices:
            yield from _list_alternatives(choice)
        return
    kinds: str | list[str] = schema.get("type", "any")
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        yield _name_kind(kind, schema)


def _name_kind(kind: str, schema: Json) -> str:
    if kind == "array":
        return name_type(schema.get("items", {})).replace("|", "/") + "[]"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return name_type(schema["additionalProperties"]).replace("|", "/") + "{}"
    return schema.get("format", kind) if kind == "string" else kind


def _list_codes(document: Json) -> Iterator[str]:
    """Yield the codes of all refusals: those in the descriptions after the word `code`."""
    told = [answer.get("description", "") for answer in document["components"].get("responses", {}).values()]
    for item in document["paths"].values():
        for operation in item.values():
            told += [answer.get("description", "") for answer in operation["responses"].values()]
    for text in told:
        for part in text.split("`code`")[1:]:
            yield from _CODE.findall(part.partition("\n")[0])
