"""How one operation is described in an OpenAPI document: what it takes, what it answers, which headers count."""

from collections.abc import Iterator, Mapping
from http.client import CREATED
from types import NoneType
from typing import Any, NamedTuple, TypeGuard, get_args, get_origin

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler

from meetdeck.platform.http.problems import PROBLEM_JSON, Problem
from meetdeck.platform.http.requests import MULTIPART, PATCH_MEDIA_TYPES
from meetdeck.platform.http.responses import JSON
from meetdeck.platform.idempotency import HEADER as IDEMPOTENCY_KEY
from meetdeck.platform.patching.operations import JsonPatch
from meetdeck.platform.patching.reading import MOST_OPERATIONS

Json = dict[str, Any]

REF = "#/components/schemas/"

_PROBLEMS = {
    "400": "The input is malformed or breaks a rule; `errors` says where.",
    "401": "Token or subscription key is missing or not valid.",
    "403": "Not allowed: the key is another tenant's, or a role is missing.",
    "404": "Something named in the request does not exist.",
    "409": "The request is right, but something else is there already.",
    "503": "Something this needs is missing or busy; `Retry-After` says when to ask again.",
}
_BODY_PROBLEMS = {
    "413": "The body is larger than this installation accepts.",
    "415": "The body is of another media type than this address takes.",
}
_STALE = {"412": "`If-Match` or `If-None-Match` does not hold: the resource is another one by now."}
_FILE = {"schema": {"type": "string", "format": "binary"}}
_TAG = {"ETag": {"description": "The state of the resource.", "schema": {"type": "string"}}}
_LOCATION = {"Location": {"description": "The address of the resource.", "schema": {"type": "string"}}}


class Operation(NamedTuple):
    """One method of one address."""

    path: str
    method: str
    handler: HTTPRouteHandler
    operation_id: str


def find_answered(handler: HTTPRouteHandler) -> type[msgspec.Struct] | None:
    """Return the Struct in `-> T`, `-> list[T]`, `-> Response[T]` or a union with one of them, None for a file."""
    return _find_struct(handler.opt.get("answers") or _annotation(handler))


def _annotation(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any annotation
    return handler.parsed_fn_signature.return_type.annotation


def is_struct(annotation: object) -> TypeGuard[type[msgspec.Struct]]:
    """Whether it is a Struct, which the document names among its schemas."""
    return isinstance(annotation, type) and issubclass(annotation, msgspec.Struct)


def _find_struct(annotation: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - any annotation
    if is_struct(annotation):
        return annotation
    return next(filter(None, map(_find_struct, get_args(annotation))), None)


def describe_operation(operation: Operation, components: Mapping[str, Json]) -> Json:
    """Return the Operation Object; `components` are the schemas that its query refers to."""
    handler = operation.handler
    content = _describe_content(handler)
    described: Json = {
        "operationId": operation.operation_id,
        "summary": handler.summary or handler.handler_name,
        "description": (handler.fn.__doc__ or "").strip(),
        "tags": sorted(handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or []),
        "parameters": [
            *_path_parameters(operation.path),
            *_query_parameters(handler, components),
            *_header_parameters(operation),
        ],
        "responses": _describe_answers(operation) | _describe_problems(operation, has_body=bool(content)),
    }
    if content:
        described["requestBody"] = {"required": handler.opt["body_required"], "content": content}
    return described


def _describe_problems(operation: Operation, *, has_body: bool) -> Json:
    problems = _PROBLEMS | (_BODY_PROBLEMS if has_body else {}) | (_STALE if _is_conditional(operation) else {})
    return {
        status: {"description": text, "content": {PROBLEM_JSON: _ref(Problem)}}
        for status, text in sorted(problems.items())
    }


def _describe_content(handler: HTTPRouteHandler) -> Json:
    content: Json = {}
    if body := handler.opt.get("body"):
        content[JSON] = _ref(body) if is_struct(body) else {"schema": msgspec.json.schema(body)}
    if form := handler.opt.get("form"):
        content[MULTIPART] = _ref(form)
    if patch := handler.opt.get("patch"):
        content = dict.fromkeys(PATCH_MEDIA_TYPES, _describe_patch(patch))
    return content


def _describe_patch(result: type[msgspec.Struct]) -> Json:
    (operations,), _ = msgspec.json.schema_components([JsonPatch], ref_template=REF + "{name}")
    text = f"RFC 6902 operations, all or nothing. What they make of the resource is checked as {result.__name__}."
    return {"schema": operations | {"description": text, "maxItems": MOST_OPERATIONS}}


def _describe_answers(operation: Operation) -> Json:
    handler = operation.handler
    answer: Json = {"description": "Success."}
    if content := _describe_answered(handler):
        answer["content"] = content
    headers = {
        name: {"description": text, "schema": {"type": "string"}}
        for name, text in handler.opt.get("headers", {}).items()
    }
    if _answers_one(handler):
        headers |= _TAG | (_LOCATION if operation.method == "post" else {})
    if headers:
        answer["headers"] = headers
    unchanged = {"304": {"description": "It has not changed.", "headers": _TAG}} if _is_tagged(operation) else {}
    return {str(handler.status_code): answer} | unchanged


def _describe_answered(handler: HTTPRouteHandler) -> Json:
    content: Json = {}
    if answered := find_answered(handler):
        schema = _ref(answered)["schema"]
        content[JSON] = {"schema": {"type": "array", "items": schema} if _answers_several(handler) else schema}
    elif _annotation(handler) is not NoneType:
        content[str(handler.media_type or "application/octet-stream")] = _FILE
    for media_type in handler.opt.get("files", ()):
        content[media_type] = {"schema": {"type": "string"}} if media_type.startswith("text/") else _FILE
    return content


def _answers_several(handler: HTTPRouteHandler) -> bool:
    return handler.opt.get("answers") is not None or get_origin(_annotation(handler)) is list


def _answers_one(handler: HTTPRouteHandler) -> bool:
    """Whether the answer is a single resource with its state (`-> Response[T]`)."""
    annotation = _annotation(handler)
    return any(
        get_origin(option) is Response and _find_struct(option) for option in (annotation, *get_args(annotation))
    )


def _is_tagged(operation: Operation) -> bool:
    return operation.method == "get" and _answers_one(operation.handler)


def _is_conditional(operation: Operation) -> bool:
    return operation.method in {"patch", "put", "delete"}


def _is_repeatable(operation: Operation) -> bool:
    """Whether it makes something: then a repeat can be told by its key."""
    handler = operation.handler
    return operation.method == "post" and (handler.status_code == CREATED or bool(handler.opt.get("repeatable")))


def _header_parameters(operation: Operation) -> Iterator[Json]:
    if _is_tagged(operation):
        yield _header("If-None-Match", "The `ETag` of what you have: 304 when it has not changed.")
    if _is_conditional(operation):
        yield _header("If-Match", "The `ETag` of what you have read: 412 when the resource has changed since.")
    if _is_repeatable(operation):
        yield _header(IDEMPOTENCY_KEY, "Makes a repeat safe: for 24 hours the same key gets the same answer.")


def _header(name: str, text: str) -> Json:
    return {"name": name, "in": "header", "required": False, "description": text, "schema": {"type": "string"}}


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
    return {"schema": {"$ref": REF + struct.__name__}}
