"""One OpenAPI 3.1 document for each version, made from the handlers and the Structs that they take and answer."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

import meetdeck
from meetdeck.platform.durations import Duration
from meetdeck.platform.http.problems import PROBLEM_JSON, Problem
from meetdeck.platform.http.requests import MULTIPART, PATCH_MEDIA_TYPES, SUBSCRIPTION_KEY_HEADER
from meetdeck.platform.http.versions import Version
from meetdeck.platform.patching.operations import OPERATIONS, JsonPatch
from meetdeck.platform.patching.reading import MOST_OPERATIONS
from meetdeck.platform.wire import Moment, UploadedFile

Json = dict[str, Any]

_REF = "#/components/schemas/"
_PROBLEMS = {
    "400": "The input is malformed or breaks a rule; `errors` says where.",
    "401": "Token or subscription key is missing or not valid.",
    "403": "Not allowed: the key is another tenant's, or a role is missing.",
    "404": "Something named in the request does not exist.",
    "409": "The request is right, but something else is there already.",
    "503": "Something this needs is missing or busy; `Retry-After` says when to ask again.",
}


class ApiDocuments:
    """The documents of one application, each made when it is first asked for."""

    def __init__(self) -> None:
        self._documents: dict[Version, Json] = {}

    def get(self, app: Litestar, version: Version) -> Json:
        """Return a version's document."""
        if version not in self._documents:
            self._documents[version] = describe_version(app, version)
        return self._documents[version]


class _Operation(NamedTuple):
    path: str
    method: str
    handler: HTTPRouteHandler
    operation_id: str


def describe_version(app: Litestar, version: Version) -> Json:
    """Return the OpenAPI document of one version."""
    operations = _list_operations(app, version)
    structs = {struct for operation in operations for struct in _structs_of(operation.handler)} | {Problem}
    _, components = msgspec.json.schema_components(
        sorted(structs, key=lambda struct: struct.__name__), schema_hook=_describe_type, ref_template=_REF + "{name}"
    )
    paths: Json = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = _describe_operation(operation, components)
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
        "paths": paths,
        "components": {
            "schemas": {name: _for_version(schema, version) for name, schema in components.items()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "subscriptionKey": {"type": "apiKey", "in": "header", "name": SUBSCRIPTION_KEY_HEADER},
            },
        },
    }


def _list_operations(app: Litestar, version: Version) -> list[_Operation]:
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
    operations: list[_Operation] = []
    for path, method, handler in found:
        name = _camel(handler.handler_name)
        seen[name] += 1
        operations.append(_Operation(path, method, handler, name if seen[name] == 1 else f"{name}{seen[name]}"))
    return operations


def _camel(name: str) -> str:
    """Spell a Python name the way the contracts spell theirs."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name)


def _handlers(route: HTTPRoute) -> dict[str, HTTPRouteHandler]:
    return {
        method: handler for handler in route.route_handlers for method in handler.http_methods if method != "OPTIONS"
    }


def _structs_of(handler: HTTPRouteHandler) -> list[type[msgspec.Struct]]:
    """Return the Structs that a handler takes and answers."""
    taken = [handler.opt[part] for part in ("body", "form", "query", "patch") if handler.opt.get(part)]
    if handler.opt.get("patch"):
        taken += OPERATIONS
    answered = _answered(handler)
    return [*taken, answered] if answered else taken


def _answered(handler: HTTPRouteHandler) -> type[msgspec.Struct] | None:
    """Return the Struct in `-> T`, `-> list[T]` or `-> Response[T]`, None for a file."""
    kind: Any = handler.opt.get("answers") or handler.parsed_fn_signature.return_type.annotation
    while arguments := getattr(kind, "__args__", None):
        kind = arguments[0]
    return kind if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else None


def _describe_operation(operation: _Operation, components: Mapping[str, Json]) -> Json:
    handler = operation.handler
    described: Json = {
        "operationId": operation.operation_id,
        "summary": handler.summary or handler.handler_name,
        "description": (handler.fn.__doc__ or "").strip(),
        "tags": sorted(handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or []),
        "parameters": [*_path_parameters(operation.path), *_query_parameters(handler, components)],
        "responses": {str(handler.status_code): _describe_answer(handler)}
        | {
            status: {"description": text, "content": {PROBLEM_JSON: _ref(Problem)}}
            for status, text in _PROBLEMS.items()
        },
    }
    content = _describe_content(handler)
    if content:
        described["requestBody"] = {"required": handler.opt["body_required"], "content": content}
    return described


def _describe_content(handler: HTTPRouteHandler) -> Json:
    content: Json = {}
    if body := handler.opt.get("body"):
        content["application/json"] = _ref(body)
    if form := handler.opt.get("form"):
        content[MULTIPART] = _ref(form)
    if patch := handler.opt.get("patch"):
        content = dict.fromkeys(PATCH_MEDIA_TYPES, _describe_patch(patch))
    return content


def _describe_patch(result: type[msgspec.Struct]) -> Json:
    (operations,), _ = msgspec.json.schema_components([JsonPatch], ref_template=_REF + "{name}")
    text = f"RFC 6902 operations, all or nothing. What they make of the resource is checked as {result.__name__}."
    return {"schema": operations | {"description": text, "maxItems": MOST_OPERATIONS}}


def _describe_answer(handler: HTTPRouteHandler) -> Json:
    answered = _answered(handler)
    if answered is None:
        media_type = str(handler.media_type or "application/octet-stream")
        return {"description": "The file.", "content": {media_type: {"schema": {"type": "string", "format": "binary"}}}}
    schema = _ref(answered)["schema"]
    is_list = (
        handler.opt.get("answers") is not None
        or getattr(handler.parsed_fn_signature.return_type.annotation, "__origin__", None) is list
    )
    if is_list:
        schema = {"type": "array", "items": schema}
    return {"description": "Success.", "content": {"application/json": {"schema": schema}}}


def _path_parameters(path: str) -> list[Json]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameters(handler: HTTPRouteHandler, components: Mapping[str, Json]) -> list[Json]:
    query = handler.opt.get("query")
    if not query:
        return []
    schema = components[query.__name__]
    required = set(schema.get("required", []))
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": member.get("description", ""),
            "schema": {key: value for key, value in member.items() if key != "description"},
        }
        for name, member in schema["properties"].items()
    ]


def _ref(struct: type[msgspec.Struct]) -> Json:
    return {"schema": {"$ref": _REF + struct.__name__}}


def _describe_type(kind: type) -> Json:
    if kind is Duration:
        return {"type": "string", "examples": ["01:30:00", "7.00:00:00"]}
    if kind is Moment:
        return {"type": "string", "format": "date-time"}
    if kind is UploadedFile:
        return {"type": "string", "format": "binary"}
    raise NotImplementedError(kind)


def _for_version(schema: Json, version: Version) -> Json:
    """Leave out what only v3 has, in v2's document."""
    if version is Version.V3 or "properties" not in schema:
        return schema
    return schema | {
        "properties": {name: member for name, member in schema["properties"].items() if member.get("x-since") != "v3"}
    }
