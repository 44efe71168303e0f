"""The same call with curl, in Python and in TypeScript, from an operation's examples."""

import json
import re
from typing import Any, Final, NamedTuple, cast
from urllib.parse import quote, urlencode

from tools.manual.reference.document import Content, Json, Operation, Parameter, resolve

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS_OF_PYTHON: Final = frozenset(
    {"from", "type", "id", "next", "import", "class", "format", "filter", "hash", "property"}
)
_VERSION: Final = re.compile(r"^/api/v\d+")
_CONSTRUCTORS: Final = {
    "uuid": ("from uuid import UUID", "UUID"),
    "date-time": ("from datetime import datetime", "datetime.fromisoformat"),
    "date": ("from datetime import date", "date.fromisoformat"),
}
_WIDTH: Final = 72


class Call(NamedTuple):
    """A call in one language."""

    language: str
    name: str
    code: str


class Example(NamedTuple):
    """The values that an example sends."""

    path: dict[str, Any]
    query: dict[str, Any]
    body: Content | None


def choose_example(document: Json, operation: Operation) -> Example:
    """Return the values of an operation's example: its document's, and otherwise the kind of value that is expected."""
    path = {each.name: _value_of(document, each) for each in operation.parameters if each.place == "path"}
    query = {
        each.name: _value_of(document, each)
        for each in operation.parameters
        if each.place == "query" and (each.required or each.example is not None)
    }
    bodies = sorted(operation.bodies, key=lambda body: body.example is None)
    return Example(path, query, bodies[0] if bodies else None)


def _value_of(document: Json, parameter: Parameter) -> Any:  # noqa: ANN401 - JSON
    schema = resolve(document, parameter.schema)
    if parameter.example is not None:
        return parameter.example
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("format") == "uuid":
        return "0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e"
    if schema.get("format") == "date-time":
        return "2035-03-05T09:00:00Z"
    if schema.get("format") == "date":
        return "2035-03-05"
    examples: Json = {"boolean": True, "integer": 10, "array": []}
    return examples.get(schema.get("type", ""), f"{{{parameter.name}}}")


class _Style(NamedTuple):
    """The way in which a language writes objects and lists."""

    indent: str
    space: str
    """Stands inside of the braces of an object on one line."""
    last_comma: str
    names_bare: bool
    """True if members' names are written without quotes."""
    python: bool = False


_JSON: Final = _Style("  ", "", "", names_bare=False)
_TYPESCRIPT: Final = _Style("  ", " ", ",", names_bare=True)
_FORM: Final = "form as never"
_MAKE_FORM: Final = 'const form = new FormData();\nform.append("file", file);\n'
"""The way to send a file with the TypeScript library, which has no types of forms."""
_PYTHON: Final = _Style("    ", "", ",", names_bare=False, python=True)


def write_curl(operation: Operation, example: Example) -> Call:
    """Return the call with curl."""
    address = _VERSION.sub("", fill_path(operation.path, example.path))
    query = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in example.query.items()}
    method = "" if operation.method == "GET" else f" -X {operation.method}"
    lines = [
        f'curl{method} "$API{address}{"?" + urlencode(query, doseq=True) if query else ""}"',
        '-H "Authorization: Bearer $TOKEN"',
        '-H "Ocp-Apim-Subscription-Key: $KEY"',
        *_send_body(example.body),
    ]
    if any(not content.media_type.endswith("json") for answer in operation.answers for content in answer.contents):
        lines.append("-o answer")
    return Call("sh", "curl", " \\\n  ".join(lines))


def _send_body(body: Content | None) -> list[str]:
    if body is None:
        return []
    if body.example is None:
        return ["-F file=@FILE"]
    written = write_value(body.example, _JSON, 1).replace("'", "'\\''")
    return [f'-H "Content-Type: {body.media_type}"', f"-d '{written}'"]


def fill_path(path: str, values: dict[str, Any]) -> str:
    """Return an address with its parameters."""
    return re.sub(r"\{(\w+)\}", lambda name: quote(str(values[name[1]]), safe="{}"), path)


def write_typescript(operation: Operation, example: Example) -> Call:
    """Return the call in TypeScript."""
    params = {name: values for name, values in (("path", example.path), ("query", example.query)) if values}
    options: Json = {"params": params} if params else {}
    form = ""
    if example.body is not None:
        options["body"] = _FORM if example.body.example is None else example.body.example
        form = _MAKE_FORM if example.body.example is None else ""
    told = f", {write_value(options, _TYPESCRIPT)}".replace(f'"{_FORM}"', _FORM) if options else ""
    call = f'await client.{operation.method.lower()}("{_VERSION.sub("", operation.path)}"{told});'
    is_answered = any(answer.contents for answer in operation.answers)
    return Call("ts", "TypeScript", form + (f"const answer = {call}" if is_answered else call))


def write_value(value: Any, style: _Style, depth: int = 0) -> str:  # noqa: ANN401 - JSON
    """Return a value of JSON in a language: on one line where it fits."""
    if isinstance(value, dict):
        members = cast("Json", value)
        parts = [f"{_write_name(name, style)}: {write_value(each, style, depth + 1)}" for name, each in members.items()]
        return _join("{", parts, "}", style, depth)
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return _join("[", [write_value(each, style, depth + 1) for each in items], "]", style, depth)
    if style.python and not isinstance(value, str):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def write_json(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a value as JSON, on one line where it fits."""
    return write_value(value, _JSON)


def _write_name(name: str, style: _Style) -> str:
    return name if style.names_bare and name.isidentifier() else json.dumps(name, ensure_ascii=False)


def _join(begin: str, parts: list[str], end: str, style: _Style, depth: int) -> str:
    space = style.space if begin == "{" else ""
    line = f"{begin}{space}{', '.join(parts)}{space}{end}" if parts else begin + end
    if len(line) + depth * len(style.indent) <= _WIDTH and "\n" not in line:
        return line
    inner = style.indent * (depth + 1)
    lines = f",\n{inner}".join(parts)
    return f"{begin}\n{inner}{lines}{style.last_comma}\n{style.indent * depth}{end}"


class _Python:
    """Writes the values of one call in Python, and remembers what it imports."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self.models: set[str] = set()
        self.modules: set[str] = set()

    def write(self, schema: Json, value: Any, depth: int, owner: str = "") -> str:  # noqa: ANN401 - JSON
        """Return a value of a schema: an object by its class, a choice by its member of an enumeration."""
        name = schema.get("$ref", "").rpartition("/")[2]
        told = resolve(self._document, schema)
        choices = [each for each in (*told.get("anyOf", []), *told.get("oneOf", [])) if each.get("type") != "null"]
        if choices and value is not None:
            return self.write(choices[0], value, depth, owner)
        if isinstance(value, list):
            items = cast("list[Any]", value)
            written = [self.write(told.get("items", {}), each, depth + 1, f"{owner}Item") for each in items]
            return _join("[", written, "]", _PYTHON, depth)
        if isinstance(value, dict):
            return self._write_object(name or owner, told, cast("Json", value), depth)
        return self._write_text(name, told, value) if isinstance(value, str) else repr(value)

    def _write_object(self, name: str, schema: Json, value: dict[str, Any], depth: int) -> str:
        self.models.add(name)
        members = schema.get("properties", {})
        if not members:
            return f"{name}.from_dict({write_value(value, _PYTHON, depth)})"
        parts: list[str] = []
        for key, each in value.items():
            owner = name + key[:1].upper() + key[1:]
            parts.append(f"{name_in_python(key)}={self.write(members.get(key, {}), each, depth + 1, owner)}")
        return _join(f"{name}(", parts, ")", _PYTHON, depth)

    def _write_text(self, name: str, schema: Json, value: str) -> str:
        if name and "enum" in schema:
            self.models.add(name)
            return f"{name}.{_CAPITAL.sub('_', value).upper()}"
        text = json.dumps(value, ensure_ascii=False)
        kind = schema.get("format", "")
        if kind not in _CONSTRUCTORS or value.startswith("{"):
            return text
        module, constructor = _CONSTRUCTORS[kind]
        self.modules.add(module)
        return f"{constructor}({text})"


def write_python(document: Json, operation: Operation, example: Example) -> Call:
    """Return the call in Python."""
    python = _Python(document)
    schemas = {parameter.name: parameter.schema for parameter in operation.parameters}
    arguments = [python.write(schemas[name], value, 1) for name, value in example.path.items()]
    if example.body is not None and example.body.example is not None:
        arguments.append(python.write(example.body.schema, example.body.example, 1))
    elif example.body is not None:
        form = example.body.schema.get("$ref", "").rpartition("/")[2]
        python.models.add(form)
        python.modules.add("from meetdeck_client import open_file")
        arguments.append(f'{form}(file=open_file("FILE"))')
    arguments += [
        f"{name_in_python(name)}={python.write(schemas[name], value, 1)}" for name, value in example.query.items()
    ]
    part = name_in_python(operation.tag.replace(" ", "_"))
    method = shorten(name_in_python(operation.name), part)
    call = _join(f"client.{part}.{method}(", arguments, ")", _PYTHON, 0)
    imports = sorted(python.modules)
    if python.models:
        names = sorted(python.models)
        imports.append(f"from meetdeck_client.models import {', '.join(names)}")
    return Call("python", "Python", "\n".join([*imports, "", call]) if imports else call)


def name_in_python(name: str) -> str:
    """Return a name of the API as Python's: `customerId` is `customer_id`, `type` is `type_`."""
    snake = _CAPITAL.sub("_", name).lower()
    return f"{snake}_" if snake in _WORDS_OF_PYTHON else snake


def shorten(name: str, part: str) -> str:
    """Return an operation's name without the words of its part: `create_meeting` of `meetings` is `create`."""
    last = part.rpartition("_")[2]
    words = [part, part[:-1], part[:-2], part.replace("_", ""), last, last[:-1]]
    for word in words:
        if word and name.endswith(f"_{word}"):
            return name.removesuffix(f"_{word}")
    for word in words[:2]:
        if f"_{word}_" in name:
            return name.replace(f"_{word}_", "_", 1)
    return name
