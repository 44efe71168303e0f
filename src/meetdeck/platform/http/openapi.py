"""One OpenAPI 3.1 document for each version, made from the handlers and the Structs that they take and answer."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from inspect import cleandoc
from typing import Any, get_args

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

import meetdeck
from meetdeck.platform.durations import Duration
from meetdeck.platform.http.openapi_operations import (
    REF,
    Json,
    Operation,
    describe_operation,
    find_answered,
    is_struct,
    tags_of,
)
from meetdeck.platform.http.problems import Problem
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER
from meetdeck.platform.http.versions import Version
from meetdeck.platform.patching.operations import OPERATIONS
from meetdeck.platform.wire import Moment, TimeOfDay, UploadedFile, write_json

_ABOUT_THE_BEARER = (
    "An access token of your identity provider, without `Bearer`. In the test environment `make run` prints one, and "
    "`POST /oauth/token` gives another when it has expired after an hour."
)
_ABOUT_THE_KEY = "The key of your organization; `make run` prints that of the demo. Both are needed for each call."


class ApiDocuments:
    """The documents of one application, each made when it is first asked for."""

    def __init__(self) -> None:
        self._documents: dict[Version, Json] = {}

    def get(self, app: Litestar, version: Version) -> Json:
        """Return a version's document."""
        if version not in self._documents:
            self._documents[version] = describe_version(app, version)
        return self._documents[version]


def describe_version(app: Litestar, version: Version) -> Json:
    """Return the OpenAPI document of one version."""
    operations = _list_operations(app, version)
    structs = {struct for operation in operations for struct in _structs_of(operation.handler)} | {Problem}
    schemas = _describe_structs(structs, version)
    paths: Json = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = describe_operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Meetdeck API {version}",
            "version": meetdeck.__version__,
            "description": "Book time with an advisor, and walk in with the deck. Every error is "
            "application/problem+json with a stable `code`; every answer carries `X-Request-Id`.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": [], "subscriptionKey": []}],
        "tags": _list_tags(app, operations),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": _ABOUT_THE_BEARER},
                "subscriptionKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": SUBSCRIPTION_KEY_HEADER,
                    "description": _ABOUT_THE_KEY,
                },
            },
        },
    }


def _describe_structs(structs: Iterable[type[msgspec.Struct]], version: Version) -> Json:
    """Return the schema of each Struct and enumeration by its name."""
    _, components = msgspec.json.schema_components(
        sorted(structs, key=lambda struct: struct.__name__), schema_hook=_describe_type, ref_template=REF + "{name}"
    )
    for kind in _with_nested(structs):
        if issubclass(kind, Enum):
            components[kind.__name__]["enum"] = [one.value for one in kind]  # msgspec sorts them by letter
        else:
            _write_defaults(kind, components[kind.__name__])
            _write_formats(kind, components[kind.__name__])
    return {name: _for_version(_with_type(_dedent(schema)), version) for name, schema in components.items()}


def _list_operations(app: Litestar, version: Version) -> list[Operation]:
    """Return what a version offers, by path; a handler with two addresses gets an operation id for each."""
    found = sorted(
        (
            (_camel(route.path_format), method.lower(), handler)
            for route in app.routes
            if isinstance(route, HTTPRoute) and route.path_format.startswith(f"/api/{version}/")
            for method, handler in _handlers(route).items()
            if handler.include_in_schema is not False
        ),
        key=lambda operation: operation[:2],
    )
    seen: Counter[str] = Counter()
    operations: list[Operation] = []
    for path, method, handler in found:
        name = _camel(handler.handler_name)
        seen[name] += 1
        operations.append(Operation(path, method, handler, name if seen[name] == 1 else f"{name}{seen[name]}"))
    return operations


def _list_tags(app: Litestar, operations: list[Operation]) -> list[Json]:
    """Return the tags as the application is put together; the page shows them in this order."""
    places = {_camel(route.path_format): place for place, route in enumerate(app.routes)}
    by_place = sorted(operations, key=lambda operation: places[operation.path])
    return [{"name": tag} for tag in dict.fromkeys(tag for operation in by_place for tag in tags_of(operation.handler))]


def _camel(name: str) -> str:
    """Spell a Python name the way the contracts spell theirs."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name)


def _handlers(route: HTTPRoute) -> dict[str, HTTPRouteHandler]:
    return {
        method: handler for handler in route.route_handlers for method in handler.http_methods if method != "OPTIONS"
    }


def _structs_of(handler: HTTPRouteHandler) -> list[type[msgspec.Struct]]:
    """Return the Structs that a handler takes and answers."""
    taken = [handler.opt[part] for part in ("body", "form", "query", "patch") if is_struct(handler.opt.get(part))]
    if handler.opt.get("patch"):
        taken += OPERATIONS
    answered = find_answered(handler)
    return [*taken, answered] if answered else taken


def _describe_type(kind: type) -> Json:
    if kind is Duration:
        return {"type": "string", "examples": ["01:30:00", "7.00:00:00"]}
    if kind is Moment:
        return {"type": "string", "format": "date-time"}
    if kind is TimeOfDay:
        return {"type": "string", "examples": ["09:00:00"]}  # no `format`: the one for times wants an offset
    if kind is UploadedFile:
        return {"type": "string", "format": "binary"}
    raise NotImplementedError(kind)


def _with_nested(annotations: Iterable[Any]) -> set[type[msgspec.Struct | Enum]]:
    """Return the Structs and enumerations in some annotations, and those in the annotations of their members."""
    found: set[type[msgspec.Struct | Enum]] = set()
    queue = list(annotations)
    for annotation in queue:
        if is_struct(annotation) and annotation not in found:
            found.add(annotation)
            queue += [field.type for field in msgspec.structs.fields(annotation)]
        elif isinstance(annotation, type) and issubclass(annotation, Enum):
            found.add(annotation)
        queue += get_args(annotation)
    return found


def _write_defaults(struct: type[msgspec.Struct], schema: Json) -> None:
    """Write the defaults that msgspec cannot: those of our own wire types, which Structs give as `default_factory`."""
    for field in msgspec.structs.fields(struct):
        if field.default_factory is not msgspec.NODEFAULT:
            schema["properties"][field.encode_name]["default"] = msgspec.json.decode(
                write_json(field.default_factory())
            )


def _write_formats(struct: type[msgspec.Struct], schema: Json) -> None:
    """Write that a text is a date and time, which msgspec does only where it checks that there is an offset."""
    for field in msgspec.structs.fields(struct):
        member = schema["properties"][field.encode_name]
        if _mentions(field.type, datetime):
            for option in (member, *member.get("anyOf", [])):
                if option.get("type") == "string":
                    option["format"] = "date-time"


def _mentions(annotation: Any, kind: type) -> bool:  # noqa: ANN401 - any annotation
    return annotation is kind or any(_mentions(option, kind) for option in get_args(annotation))


def _dedent(schema: Json) -> Json:
    """Take the indentation of a docstring away, which Markdown would show as code."""
    return schema | {"description": cleandoc(schema["description"])} if "description" in schema else schema


def _with_type(schema: Json) -> Json:
    """Say of an enumeration that it is text, which msgspec leaves to its values, and the page to guessing."""
    return schema | {"type": "string"} if "enum" in schema else schema


def _for_version(schema: Json, version: Version) -> Json:
    """Leave out what only v3 has, in v2's document."""
    if version is Version.V3 or "properties" not in schema:
        return schema
    return schema | {
        "properties": {name: member for name, member in schema["properties"].items() if member.get("x-since") != "v3"}
    }
