"""The description of an operation in an OpenAPI document: its parameters, bodies, answers and headers."""

from collections.abc import Iterator
from http import HTTPStatus
from inspect import cleandoc
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin
from uuid import UUID

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg

from meetdeck.platform.changes import HEADER as IDEMPOTENCY_KEY
from meetdeck.platform.changes import IdempotencyKeyReused, InvalidIdempotencyKey
from meetdeck.platform.http.answers import JSON
from meetdeck.platform.http.openapi.answers import read_answers
from meetdeck.platform.http.openapi.codes import find_raised
from meetdeck.platform.http.openapi.problems import refer_to_refusals
from meetdeck.platform.http.openapi.schemas import JSON_PATCH, REF, Json, Schemas, StructType, is_struct
from meetdeck.platform.http.openapi.shared import LOCATION, TAG, UNCHANGED
from meetdeck.platform.http.requests import MULTIPART, PATCH_MEDIA_TYPES
from meetdeck.platform.identity import Access, RoleMissing
from meetdeck.platform.values import Version, describe_deprecation
from meetdeck.platform.values.patching import InvalidPatch, PatchTestFailed

_SUCCESS = {int(HTTPStatus.CREATED): "Created; `Location` is its address."}
_REPLACED = "One with this name existed, and was replaced."
_PART = "The part of the file that `Range` requests."
_TEXT = {"schema": {"type": "string"}}
_FILE = {"schema": {"type": "string", "format": "binary"}}


class Operation(NamedTuple):
    """A method of an address of a version."""

    version: Version
    path: str
    method: str
    handler: HTTPRouteHandler
    operation_id: str
    access: Access
    """The permission that a caller needs."""


def find_answered(handler: HTTPRouteHandler) -> StructType | None:
    """Return the Struct in `-> T`, `-> list[T]`, `-> Response[…]` of these or a union with one, None for a file."""
    return _find_struct(handler.opt.get("stream_of") or _annotation(handler))


def list_taken(handler: HTTPRouteHandler) -> list[StructType]:
    """Return the Structs of the body and the form that a handler accepts."""
    return [handler.opt[part] for part in ("body", "form") if is_struct(handler.opt.get(part))]


def find_query(handler: HTTPRouteHandler) -> StructType | None:
    """Return the Struct of the query that a handler accepts."""
    return handler.opt.get("query")


def _annotation(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any annotation
    return handler.parsed_fn_signature.return_type.annotation


def _find_struct(annotation: Any) -> StructType | None:  # noqa: ANN401 - any annotation
    if is_struct(annotation):
        return annotation
    return next(filter(None, map(_find_struct, get_args(annotation))), None)


def describe_operation(operation: Operation, schemas: Schemas) -> Json:
    """Return the Operation Object."""
    handler = operation.handler
    content = _describe_content(handler, schemas)
    described: Json = {
        "operationId": operation.operation_id,
        "summary": handler.summary or handler.handler_name,
        "description": _describe(operation),
        "tags": tags_of(handler),
        **_describe_role(operation.access),
        **({"deprecated": True} if handler.opt.get("deprecation") is not None else {}),
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation, schemas),
            *_header_parameters(operation),
        ],
        "responses": _describe_answers(operation, schemas) | _describe_refusals(operation),
    }
    if content:
        described["requestBody"] = {"required": handler.opt["body_required"], "content": content}
        if not handler.opt["body_required"]:  # in words: null in the schema makes clients that must send one
            described["requestBody"]["description"] = "May be left out; null means the same."
    return described


def _describe(operation: Operation) -> str:
    text = cleandoc(function_of(operation.handler).__doc__ or "")
    deprecation = operation.handler.opt.get("deprecation")
    if deprecation is not None:
        text = f"{text}\n\n{describe_deprecation(deprecation)}"
    if operation.access in {Access.ANYBODY, Access.CALLER} or f"the {operation.access} role" in text:
        return text
    return f"{text}\n\nNeeds the {operation.access} role."


def _describe_role(access: Access) -> Json:
    """Return the role that a caller's token must have, as an extension; nothing if it needs none."""
    return {} if access in {Access.ANYBODY, Access.CALLER} else {"x-required-role": str(access)}


def function_of(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any bound method
    """Return the method as written; Litestar wraps one that runs in a thread."""
    return getattr(handler.fn, "func", handler.fn)


def tags_of(handler: HTTPRouteHandler) -> list[str]:
    """Return the headings of a handler on the page."""
    return sorted(handler.resolve_tags() if hasattr(handler, "resolve_tags") else handler.tags or [])


def _describe_refusals(operation: Operation) -> Json:
    raised = {*find_raised(function_of(operation.handler))}
    impossible: set[str] = set()
    if operation.method == "get":
        impossible |= {"409"}
    if not (_is_conditional(operation) or operation.handler.opt.get("replaces")):
        impossible |= {"412"}
    if not operation.handler.opt.get("in_parts"):
        impossible |= {"416"}
    if not (_is_repeatable(operation) and "contents" in function_of(operation.handler).__annotations__):  # stores files
        impossible |= {"507"}
    if operation.handler.opt.get("patch"):
        raised |= {InvalidPatch, PatchTestFailed}
    if _is_repeatable(operation):
        raised |= {InvalidIdempotencyKey, IdempotencyKeyReused}
    if operation.access not in {Access.ANYBODY, Access.CALLER}:
        raised |= {RoleMissing}
    return refer_to_refusals(raised, impossible=impossible)


def _describe_content(handler: HTTPRouteHandler, schemas: Schemas) -> Json:
    """Return the media types of the body, each with an example that works with the demo data.

    A JSON Patch is shown only under its own media type: generators make one function of two, which then fails.
    """
    content: Json = {}
    if body := handler.opt.get("body"):
        schema = schemas.refer_to_taken(body) if is_struct(body) else msgspec.json.schema(body)
        content[JSON] = {"schema": schema}
    if form := handler.opt.get("form"):
        content[MULTIPART] = {"schema": schemas.refer_to_taken(form)}
    if handler.opt.get("patch"):
        content[PATCH_MEDIA_TYPES[0]] = {"schema": {"$ref": REF + JSON_PATCH}}
    example = handler.opt.get("example")
    if example is not None:
        next(iter(content.values()))["example"] = example
    return content


def _describe_answers(operation: Operation, schemas: Schemas) -> Json:
    handler = operation.handler
    answer: Json = {"description": _SUCCESS.get(handler.status_code, "Success.")}
    if content := _describe_answered(operation, schemas):
        answer["content"] = content
    headers = {
        name: {"description": text, "schema": {"type": "string"}}
        for name, text in handler.opt.get("headers", {}).items()
    }
    if _is_tagged(operation) or _answers_one(handler):
        headers |= TAG | (LOCATION if operation.method == "post" else {})
    if headers:
        answer["headers"] = headers
    unchanged = UNCHANGED if _is_tagged(operation) else {}
    replaced = {"200": answer | {"description": _REPLACED}} if handler.opt.get("replaces") else {}
    part = {"206": answer | {"description": _PART}} if handler.opt.get("in_parts") else {}
    return {str(handler.status_code): answer} | replaced | part | unchanged


def _describe_answered(operation: Operation, schemas: Schemas) -> Json:
    """Return the media types of the answer, the default one first; JSON with a recorded example."""
    handler = operation.handler
    files = {media_type: _describe_file(media_type) for media_type in handler.opt.get("files", ())}
    annotation = _annotation(handler)
    if answered := find_answered(handler):
        content: Json = {JSON: _describe_json(operation, answered, schemas.refer_to_answered(answered))}
        usual = next(iter(get_args(annotation)), annotation) if files else annotation
        return content | files if _find_struct(usual) or not files else files | content
    if annotation is not NoneType:
        media_type = str(handler.media_type or "application/octet-stream")
        return {media_type: _describe_file(media_type)} | files
    return files


def _describe_json(operation: Operation, answered: StructType, schema: Json) -> Json:
    several = _answers_several(operation.handler)
    described: Json = {"schema": {"type": "array", "items": schema} if several else schema}
    example = read_answers().get(operation.version, {}).get(answered.__name__)
    if example is not None:
        described["example"] = [example] if several else example
    return described


def _describe_file(media_type: str) -> Json:
    return _TEXT if media_type.startswith("text/") else _FILE


def _answers_several(handler: HTTPRouteHandler) -> bool:
    return handler.opt.get("stream_of") is not None or _is_list(_annotation(handler))


def _is_list(annotation: Any) -> bool:  # noqa: ANN401 - any annotation
    """Return whether a handler returns an array: `-> list[T]` or `-> Response[list[T]]`."""
    origin = get_origin(annotation)
    return origin is list or (origin is Response and any(map(_is_list, get_args(annotation))))


def _answers_one(handler: HTTPRouteHandler) -> bool:
    """Return whether the answer is a single resource with its state (`-> Response[T]`)."""
    annotation = _annotation(handler)
    return any(
        get_origin(option) is Response and not _is_list(option) and _find_struct(option)
        for option in (annotation, *get_args(annotation))
    )


def _is_tagged(operation: Operation) -> bool:
    """Return whether it answers JSON in one piece (a stream has `stream_of`), or a file unchanged."""
    handler = operation.handler
    is_whole = handler.opt.get("stream_of") is None and find_answered(handler) is not None
    return operation.method == "get" and (is_whole or bool(handler.opt.get("in_parts")))


def _is_conditional(operation: Operation) -> bool:
    return operation.method in {"patch", "put", "delete"}


def _is_repeatable(operation: Operation) -> bool:
    """Return whether it creates a resource, so that a repeat is recognized by its key."""
    handler = operation.handler
    return operation.method == "post" and (
        handler.status_code == HTTPStatus.CREATED or bool(handler.opt.get("repeatable"))
    )


def _header_parameters(operation: Operation) -> Iterator[Json]:
    if _is_tagged(operation):
        yield _header("If-None-Match", "The `ETag` of what you have: 304 when it has not changed.")
    if operation.handler.opt.get("in_parts"):
        yield _header("Range", "`bytes=1000-`: the file from there on (206); for several ranges, the whole file.")
        yield _header(
            "If-Range", "The `ETag` of the file of which you have a part: if it has changed, you get the whole file."
        )
    if _is_conditional(operation):
        yield _header(
            "If-Match",
            "The `ETag` of what you have read: 412 when the resource has changed since, with its current `ETag`.",
        )
    if operation.handler.opt.get("replaces"):
        yield _header("If-None-Match", "`*`: 412 if one with this name exists.")
    if _is_repeatable(operation):
        yield _header(
            IDEMPOTENCY_KEY,
            "Makes a repeat safe: for 24 hours the same key gets the same answer, and `Idempotency-Replayed: true`.",
        )
    yield _header("X-Request-Id", "Your own id of the request, for your log and ours; else it gets a new one.")


def _header(name: str, text: str) -> Json:
    return {"name": name, "in": "header", "description": text, "schema": {"type": "string"}}


def _path_parameters(operation: Operation) -> Iterator[Json]:
    """Describe the path parameters of a handler, in the words of its `PathParameter(description=…)`."""
    taken = {name.replace("_", ""): field for name, field in operation.handler.parsed_fn_signature.parameters.items()}
    for name in (part[1:-1] for part in operation.path.split("/") if part.startswith("{")):
        field = taken[name.lower()]
        described: Json = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        if field.annotation is UUID:
            described["schema"]["format"] = "uuid"
        parameter = field.kwarg_definition
        if isinstance(parameter, ParameterKwarg):
            described |= {"description": parameter.description} if parameter.description else {}
            described |= {"example": parameter.examples[0].value} if parameter.examples else {}
        yield described


def _query_parameters(operation: Operation, schemas: Schemas) -> Iterator[Json]:
    query = find_query(operation.handler)
    if query is None:
        return
    schema = schemas.components[query.__name__]
    for name, member in schema["properties"].items():
        apart = {key: value for key, value in member.items() if key not in {"deprecated", "description", "examples"}}
        described: Json = {"name": name, "in": "query"}
        described |= {"deprecated": True} if "deprecated" in member else {}
        described |= {"required": True} if name in schema.get("required", []) else {}
        described["description"] = member.get("description", "")
        if "examples" in member:
            described["example"] = member["examples"][0]
        yield described | {"schema": apart}
