"""One OpenAPI 3.1 document for each version, made from the handlers and the Structs that they take and answer."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

import meetdeck
from meetdeck.platform.durations import Duration
from meetdeck.platform.http.problems import PROBLEM_JSON, Problem
from meetdeck.platform.http.requests import MULTIPART, SUBSCRIPTION_KEY_HEADER, UploadedFile
from meetdeck.platform.http.versions import Version
from meetdeck.platform.wire import Moment

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


def describe_version(app: Litestar, version: Version) -> Json:
    """Return the OpenAPI document of one version."""
    prefix = f"/api/{version}/"
    operations = [
        (route.path_format, method, handler)
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path_format.startswith(prefix)
        for method, handler in _handlers(route).items()
    ]
    structs = {struct for _, _, handler in operations for struct in _structs_of(handler)} | {Problem}
    _, components = msgspec.json.schema_components(
        sorted(structs, key=lambda struct: struct.__name__), schema_hook=_describe_type, ref_template=_REF + "{name}"
    )
    paths: Json = {}
    for path, method, handler in operations:
        paths.setdefault(path, {})[method.lower()] = _describe_operation(handler, path, components)
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


def _handlers(route: HTTPRoute) -> dict[str, HTTPRouteHandler]:
    return {
        method: handler for handler in route.route_handlers for method in handler.http_methods if method != "OPTIONS"
    }


def _structs_of(handler: HTTPRouteHandler) -> list[type[msgspec.Struct]]:
    """Return the Structs that a handler takes and answers."""
    taken = [handler.opt[part] for part in ("body", "form", "query") if handler.opt.get(part)]
    answered = _answered(handler)
    return [*taken, answered] if answered else taken


def _answered(handler: HTTPRouteHandler) -> type[msgspec.Struct] | None:
    """Return the Struct in `-> T`, `-> list[T]` or `-> Response[T]`, None for a file."""
    kind: Any = handler.opt.get("answers") or handler.parsed_fn_signature.return_type.annotation
    while arguments := getattr(kind, "__args__", None):
        kind = arguments[0]
    return kind if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else None


def _describe_operation(handler: HTTPRouteHandler, path: str, components: Mapping[str, Json]) -> Json:
    operation: Json = {
        "operationId": handler.handler_name,
        "summary": handler.summary or handler.handler_name,
        "description": (handler.fn.__doc__ or "").strip(),
        "tags": sorted(handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or []),
        "parameters": [*_path_parameters(path), *_query_parameters(handler, components)],
        "responses": {str(handler.status_code): _describe_answer(handler)}
        | {
            status: {"description": text, "content": {PROBLEM_JSON: _ref(Problem)}}
            for status, text in _PROBLEMS.items()
        },
    }
    content = _describe_content(handler)
    if content:
        operation["requestBody"] = {"required": handler.opt["body_required"], "content": content}
    return operation


def _describe_content(handler: HTTPRouteHandler) -> Json:
    content: Json = {}
    if body := handler.opt.get("body"):
        content["application/json"] = _ref(body)
    if form := handler.opt.get("form"):
        content[MULTIPART] = _ref(form)
    return content


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
    raise NotImplementedError(kind)


def _for_version(schema: Json, version: Version) -> Json:
    """Leave out what only v3 has, in v2's document, and say that an uploaded file is a file."""
    if schema.get("title") == UploadedFile.__name__:
        return {"type": "string", "format": "binary"}
    if version is Version.V3 or "properties" not in schema:
        return schema
    return schema | {
        "properties": {name: member for name, member in schema["properties"].items() if member.get("x-since") != "v3"}
    }
