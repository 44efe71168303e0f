"""JSON schemas in words: what a value may be, and the members of an object."""

from html import escape
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from tools.manual.reference.document import Json
from tools.manual.reference.words import write_inline

_FORMATS: Final = {
    "uuid": "UUID",
    "date-time": "datetime",
    "date": "date",
    "time": "time",
    "duration": "duration",
    "binary": "file",
    "uri": "address",
    "email": "e-mail address",
    "byte": "Base64",
}
_RANGES: Final = (
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " members"),
    ("minimum", "maximum", ""),
)
"""The members of a schema that limit a number from below and above, and what is counted."""


class Member(NamedTuple):
    """A member of an object, in words."""

    name: str
    required: bool
    type: Markup
    limits: Markup
    description: Markup
    since: str


class Type(NamedTuple):
    """A named schema: its members, or the values of an enumeration."""

    name: str
    description: Markup
    members: list[Member]
    values: list[str]


def describe_type(name: str, schema: Json) -> Type:
    """Return a named schema in words."""
    values = [str(value) for value in schema.get("enum", [])]
    return Type(name, write_inline(schema.get("description", "")), list_members(schema), values)


def list_members(schema: Json) -> list[Member]:
    """Return the members of an object in words; empty for any other schema."""
    required = schema.get("required", [])
    return [
        Member(
            name=name,
            required=name in required,
            type=name_type(member),
            limits=name_limits(member),
            description=write_inline(member.get("description", "")),
            since=member.get("x-since", ""),
        )
        for name, member in schema.get("properties", {}).items()
    ]


def name_type(schema: Json) -> Markup:
    """Return the type of a value: `array of UUID`, `Meeting or null`; names of schemas lead to their tables."""
    return Markup(_name_type(schema))  # noqa: S704 - escaped in it


def _name_type(schema: Json) -> str:
    choices = schema.get("anyOf", schema.get("oneOf"))
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        words = f'<a href="#{anchor_of(name)}">{escape(name)}</a>'
    elif choices is not None:
        words = " or ".join(_name_type(each) for each in choices)
    elif "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        words = " or ".join(f"<code>{escape(_write(value))}</code>" for value in values)
    elif schema.get("type") == "array":
        words = f"array of {_name_type(schema.get('items', {}))}"
    elif isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema:
        words = f"object of {_name_type(schema['additionalProperties'])}"
    elif isinstance(schema.get("type"), list):
        words = " or ".join(_name_type({**schema, "type": kind}) for kind in schema["type"])
    elif schema.get("type") == "null":
        words = "null"
    else:
        words = escape(_FORMATS.get(schema.get("format", ""), str(schema.get("type", "any value"))))
    return words


def name_limits(schema: Json) -> Markup:
    """Return the limits of a value and its default."""
    parts = [text for low, high, unit in _RANGES if (text := _name_range(schema.get(low), schema.get(high), unit))]
    if "exclusiveMaximum" in schema:
        parts.append(f"below {schema['exclusiveMaximum']:,}")
    if "pattern" in schema:
        parts.append(f"matches <code>{escape(schema['pattern'])}</code>")
    default: Any = schema.get("default")
    if default is not None and default != []:
        parts.append(f"default <code>{escape(_write(default))}</code>")
    return Markup(", ".join(parts))  # noqa: S704 - escaped


def _name_range(low: float | None, high: float | None, unit: str) -> str:
    if (low, high) == (1, None) and unit:
        return "not empty"
    if low and high is not None:
        return f"{low:,} to {high:,}{unit}"
    return f"at most {high:,}{unit}" if high is not None else f"at least {low:,}{unit}" if low is not None else ""


def anchor_of(name: str) -> str:
    """Return the anchor of a schema's table."""
    return f"type-{name.lower()}"


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
