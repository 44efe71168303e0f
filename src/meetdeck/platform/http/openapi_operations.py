"""How one operation is described in an OpenAPI document: what it takes, what it answers, which headers count."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from inspect import cleandoc
from types import NoneType
from typing import Any, NamedTuple, TypeGuard, get_args, get_origin
from uuid import UUID

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg

from meetdeck.platform.http.problems import PROBLEM_JSON, InvalidMember, Problem
from meetdeck.platform.http.requests import MULTIPART, PATCH_MEDIA_TYPES
from meetdeck.platform.http.responses import JSON
from meetdeck.platform.idempotency import HEADER as IDEMPOTENCY_KEY
from meetdeck.platform.patching.operations import JsonPatch
from meetdeck.platform.patching.reading import MOST_OPERATIONS

Json = dict[str, Any]

REF = "#/components/schemas/"


class _Refusal(NamedTuple):
    """What a status means, and one of the codes that come with it."""

    text: str
    code: str


_REFUSALS = {
    "400": _Refusal("The input is malformed or breaks a rule; `errors` says where.", "invalid_request"),
    "401": _Refusal("Token or subscription key is missing or not valid.", "unauthenticated"),
    "403": _Refusal("Not allowed: the key is another tenant's, or a role is missing.", "forbidden"),
    "404": _Refusal("Something named in the request does not exist.", "not_found"),
    "409": _Refusal("The request is right, but something else is there already.", "changed_meanwhile"),
    "412": _Refusal("`If-Match` or `If-None-Match` does not hold: the resource is another one by now.", "stale"),
    "413": _Refusal("The body is larger than this installation accepts.", "too_large"),
    "415": _Refusal("The body is of another media type than this address takes.", "unsupported_media_type"),
    "503": _Refusal("Something this needs is missing or busy; `Retry-After` says when to ask again.", "unavailable"),
}
_SUCCESS = {int(HTTPStatus.CREATED): "Created; `Location` is its address."}
_REPLACED = "There was one of this name already; this is what it is from now on."
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
        "description": cleandoc(handler.fn.__doc__ or ""),
        "tags": tags_of(handler),
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(handler, components),
            *_header_parameters(operation),
        ],
        "responses": _describe_answers(operation) | _describe_problems(operation, has_body=bool(content)),
    }
    if content:
        described["requestBody"] = {"required": handler.opt["body_required"], "content": content}
    return described


def tags_of(handler: HTTPRouteHandler) -> list[str]:
    """Return the headings under which the page shows a handler."""
    return sorted(handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or [])


def _describe_problems(operation: Operation, *, has_body: bool) -> Json:
    impossible: set[str] = set()
    if operation.method == "get":
        impossible |= {"409"}
    if not has_body:
        impossible |= {"413", "415"}
    if not (_is_conditional(operation) or operation.handler.opt.get("replaces")):
        impossible |= {"412"}
    return {status: _describe_refusal(status) for status in _REFUSALS if status not in impossible}


def _describe_refusal(status: str) -> Json:
    """Return a Response Object with an example: the page would make one of the schema, of which nothing is learnt."""
    text, code = _REFUSALS[status]
    problem = Problem(
        type=f"urn:meetdeck:problem:{code}",
        title=HTTPStatus(int(status)).phrase,
        status=int(status),
        detail="What was wrong, and what to do.",
        instance="/api/v3/…",
        code=code,
        request_id="5f0c7d5bd0c54ac2a0d1f4f6f3a2b9c1",
        errors=[InvalidMember("/name", "name is required.")] if status == "400" else [],
    )
    return {
        "description": text,
        "content": {PROBLEM_JSON: _ref(Problem) | {"example": msgspec.to_builtins(problem)}},
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
    answer: Json = {"description": _SUCCESS.get(handler.status_code, "Success.")}
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
    replaced = {"200": answer | {"description": _REPLACED}} if handler.opt.get("replaces") else {}
    return {str(handler.status_code): answer} | replaced | unchanged


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
    return operation.method == "post" and (
        handler.status_code == HTTPStatus.CREATED or bool(handler.opt.get("repeatable"))
    )


def _header_parameters(operation: Operation) -> Iterator[Json]:
    if _is_tagged(operation):
        yield _header("If-None-Match", "The `ETag` of what you have: 304 when it has not changed.")
    if _is_conditional(operation):
        yield _header("If-Match", "The `ETag` of what you have read: 412 when the resource has changed since.")
    if operation.handler.opt.get("replaces"):
        yield _header("If-None-Match", "`*`: nothing of this name may be there yet, else 412.")
    if _is_repeatable(operation):
        yield _header(IDEMPOTENCY_KEY, "Makes a repeat safe: for 24 hours the same key gets the same answer.")


def _header(name: str, text: str) -> Json:
    return {"name": name, "in": "header", "required": False, "description": text, "schema": {"type": "string"}}


def _path_parameters(operation: Operation) -> Iterator[Json]:
    """Describe the steps of the address that a handler takes, in the words of its `PathParameter(description=…)`."""
    taken = {name.replace("_", ""): field for name, field in operation.handler.parsed_fn_signature.parameters.items()}
    for name in (part[1:-1] for part in operation.path.split("/") if part.startswith("{")):
        field = taken[name.lower()]
        described: Json = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        if field.annotation is UUID:
            described["schema"]["format"] = "uuid"
        if isinstance(field.kwarg_definition, ParameterKwarg) and field.kwarg_definition.description:
            described["description"] = field.kwarg_definition.description
        yield described


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
            "description": _find_description(member),
            "schema": {key: value for key, value in _without_null(member).items() if key != "description"},
        }
        for name, member in schema["properties"].items()
    ]


def _without_null(schema: Json) -> Json:
    """Leave null out of the choices: a query has no way to say it, and generated clients stumble over it."""
    options = [option for option in schema.get("anyOf", []) if option != {"type": "null"}]
    if len(options) != 1:
        return schema
    return options[0] | {key: value for key, value in schema.items() if key != "anyOf" and value is not None}


def _find_description(schema: Json) -> str:
    """Return what a schema says, or of several the first that says something."""
    said = (option["description"] for option in schema.get("anyOf", []) if "description" in option)
    return schema.get("description") or next(said, "")


def _ref(struct: type[msgspec.Struct]) -> Json:
    return {"schema": {"$ref": REF + struct.__name__}}
