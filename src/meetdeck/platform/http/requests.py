"""Reads a request's body or form, its query and its caller; handlers get the first two as `payload` and `params`.

Litestar uses `body` and `query` itself, for the raw values.
"""

from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args

import msgspec
from litestar.datastructures import MultiDict, UploadFile
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation
from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.platform.errors import Fault, Forbidden, NotAcceptable, Unauthenticated, WrongMediaType
from meetdeck.platform.http.answers import AnyRequest, choose_media_type
from meetdeck.platform.http.calls import (
    find_version,
    get_request_id,
    get_services,
    handle_unknown_parameters,
    make_state,
    note_caller,
    note_deprecated,
    note_deprecations,
    note_request_id,
    read_headers,
    wants_strict,
)
from meetdeck.platform.http.limits import limit_address, limit_key
from meetdeck.platform.identity import Principal, find_access
from meetdeck.platform.process.log_facts import add_log_fact
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.process.tracing import WorkKind, measure
from meetdeck.platform.values import (
    InvalidInput,
    UploadedFile,
    Version,
    find_deprecated,
    find_unknown_members,
    has_deprecated,
    read_builtins,
    read_in_version,
    read_json,
    read_query_params,
    refuse,
)
from meetdeck.platform.values.patching import JsonPatch, read_patch

T = TypeVar("T", bound=msgspec.Struct)
V = TypeVar("V")

Body: TypeAlias = NamedDependency[SkipValidation[V]]
"""The type of a handler's parameter `payload`: the result of `accepts(body=…, form=…, patch=…)`."""

Query: TypeAlias = NamedDependency[SkipValidation[V]]
"""The type of a handler's parameter `params`: the result of `accepts(query=…)`."""

Reader = Callable[[AnyRequest], Awaitable[Any]]


SUBSCRIPTION_KEY_HEADER = "Ocp-Apim-Subscription-Key"
_SUBSCRIPTION_KEY: Final = SUBSCRIPTION_KEY_HEADER.lower().encode()
MULTIPART = "multipart/form-data"
_AUTHENTICATION = WorkKind("auth")
_LARGE_BODY_BYTES: Final = 64 * 1024
PATCH_MEDIA_TYPES = ("application/json-patch+json", "application/json")


def accepts(
    *,
    body: type[Any] | None = None,
    form: type[msgspec.Struct] | None = None,
    query: type[msgspec.Struct] | None = None,
    patch: type[msgspec.Struct] | None = None,
    body_required: bool = True,
    example: object = None,
) -> dict[str, Any]:
    """Declare a handler's input: `@post(…, **accepts(body=SaveRoom))` gives it `payload: Body[SaveRoom]`.

    With a `form` beside the body, the request's media type decides which of them `payload` is. `query` gives it
    `params: Query[…]`, `patch` gives it `payload: Body[JsonPatch]`; the result is read as that, for the page. Without
    `body_required`, no body and `null` mean `{}`. All are documented on the OpenAPI page from these very Structs, and
    input that does not fit is refused with every fault in it. Only the page reads the `example`, a body that works
    unchanged with the demo data; `documents(…)` and `answers(…)` are for the page, too.
    """
    readers: dict[str, Reader] = {}
    if body is not None or form is not None:
        readers["payload"] = _read_content_as(body, form, body_required=body_required)
    if patch is not None:
        readers["payload"] = _read_patch
    if query is not None:
        readers["params"] = _read_query_as(query)
    dependencies = {name: Provide(read) for name, read in readers.items()}
    read = {"body": body, "form": form, "query": query, "patch": patch, "body_required": body_required}
    return {"dependencies": dependencies, "opt": read, "example": example}


def _read_content_as(body: type[Any] | None, form: type[msgspec.Struct] | None, *, body_required: bool) -> Reader:
    async def read_content(request: AnyRequest) -> Any:  # noqa: ANN401 - what the handler takes
        media_type = _read_media_type(request)
        if form is not None and media_type == MULTIPART:
            return await _read_form(request, form)
        if form is not None and (body is None or not _may_be_json(media_type)):
            expected = MULTIPART if body is None else f"application/json or {MULTIPART}"
            raise WrongMediaType(f"Send {expected} here, not {media_type or 'a body without a media type'}.")
        if body is None:
            raise RuntimeError("accepts() needs a body or a form")
        content = await _read_body(request)
        if not body_required and content.strip() in {b"", b"null"}:
            content = b"{}"
        elif not _may_be_json(media_type) and not _is_json(content):
            raise WrongMediaType(f"Send application/json here, not {media_type}.")
        if has_deprecated(body):
            note_deprecations(request.scope, find_deprecated(_decode(content), body))
        read = partial(_read_strictly if wants_strict(request.scope) else read_json, content)
        return await _parse(content, partial(read_in_version, find_version(request.scope), body, read))

    return read_content


def _read_media_type(request: AnyRequest) -> str:
    """Return the media type of a request's body, without its parameters; empty when there is none."""
    (content_type,) = read_headers(request.scope, b"content-type")
    return (content_type or "").partition(";")[0].strip().lower()


def _decode(content: bytes) -> object:
    """Return what a body contains; None if it is not JSON, which is refused when it is read."""
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError:
        return None


def _read_strictly(content: bytes, kind: type[V]) -> V:
    """Return a JSON body as `kind`. Raises InvalidInput for members that it does not have, too."""
    try:
        body = read_json(content, kind)
    except InvalidInput as error:
        if error.faults:
            refuse([*find_unknown_members(msgspec.json.decode(content), kind), *error.faults])
        raise
    refuse(find_unknown_members(msgspec.json.decode(content), kind))
    return body


async def _parse(content: bytes, parse: Callable[[], V]) -> V:
    """Return a parsed body, in a thread when it is large: its checks take a time by its items."""
    return await run_in_thread(parse) if len(content) > _LARGE_BODY_BYTES else parse()


async def _read_body(request: AnyRequest) -> bytes:
    """Return the body without a byte order mark, which RFC 8259 (8.1) lets us ignore: files from Windows have it."""
    _refuse_compressed(request)
    return (await request.body()).removeprefix(BOM_UTF8)


def _refuse_compressed(request: AnyRequest) -> None:
    (coding,) = read_headers(request.scope, b"content-encoding")
    if coding is None:
        return
    if coding.strip().lower() not in {"", "identity"}:
        raise WrongMediaType(
            f"Send the body without `Content-Encoding: {coding}`: compressed requests are not supported."
        )


def _may_be_json(media_type: str) -> bool:
    """Return whether a body may be JSON by its media type, which some clients do not send."""
    return not media_type or media_type == "application/json" or media_type.endswith("+json")


def _is_json(content: bytes) -> bool:
    """Return whether a body is JSON by its content; curl by default declares every body a form."""
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


async def _read_form(request: AnyRequest, kind: type[T]) -> T:
    """Read a form as `kind`; optional parts may be empty, too."""
    parts = _name_file((await _load_form(request)).dict(), kind)
    if wants_strict(request.scope):
        refuse(find_unknown_members(dict.fromkeys(parts), kind))
    values: dict[str, object] = {}
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        named = parts.get(name, [])
        if len(named) > 1:
            raise InvalidInput(f"{name} was sent {len(named)} times.", faults=(Fault(f"/{name}", "Send one."),))
        if not named or (named[0] == "" and not field.required):
            continue
        part = named[0]
        if not isinstance(part, UploadFile):
            values[name] = part
        elif _takes_file(field):
            values[name] = await run_in_thread(UploadedFile, part.filename, part.file)
        else:
            values[name] = await _read_text(part, name)
    return read_builtins(values, kind, strict=False)


async def read_form_texts(request: AnyRequest) -> list[tuple[str, str]]:
    """Return the names and texts of a form, without its files. Raises InvalidInput."""
    return [(name, value) for name, value in (await _load_form(request)).multi_items() if isinstance(value, str)]


async def _load_form(request: AnyRequest) -> MultiDict[str | UploadFile]:
    _refuse_compressed(request)
    try:
        return cast("MultiDict[str | UploadFile]", await request.form())
    except (UnicodeDecodeError, LookupError):
        raise InvalidInput(
            "A text of the form is not in UTF-8. If it is a file, its part needs a file name (`filename=`)."
        ) from None


async def _read_text(part: UploadFile, name: str) -> str:
    """Return the text of a part with a file name, as browsers send a `Blob`. Raises InvalidInput."""
    try:
        return (await part.read()).decode()
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} is not in UTF-8.", faults=(Fault(f"/{name}", "Send text in UTF-8."),)) from None


def _takes_file(field: msgspec.structs.FieldInfo) -> bool:
    return UploadedFile in (field.type, *get_args(field.type))


def _name_file(
    parts: Mapping[str, Sequence[str | UploadFile]], kind: type[msgspec.Struct]
) -> Mapping[str, Sequence[str | UploadFile]]:
    """Return the parts with their only file under the name that `kind` has for it: clients choose others.

    Raises InvalidInput for several files of other names.
    """
    fields = msgspec.structs.fields(kind)
    expected = [field.encode_name for field in fields if _takes_file(field)]
    texts = {field.encode_name for field in fields} - set(expected)
    files = [(name, part) for name in parts.keys() - texts for part in parts[name] if isinstance(part, UploadFile)]
    if len(expected) != 1 or not files or expected[0] in (name for name, _ in files):
        return parts
    if len(files) > 1:
        raise InvalidInput(
            f"The form has {len(files)} files: name the part of the one that you mean `{expected[0]}`.",
            faults=(Fault(f"/{expected[0]}", "Send one file."),),
        )
    return {**parts, expected[0]: [files[0][1]]}


async def _read_patch(request: AnyRequest) -> JsonPatch:
    media_type = _read_media_type(request)
    if media_type not in {"", *PATCH_MEDIA_TYPES}:
        raise WrongMediaType(f"Send {' or '.join(PATCH_MEDIA_TYPES)} here, not {media_type}.")
    content = await _read_body(request)
    return await _parse(content, partial(read_patch, content))


def _read_query_as(kind: type[T]) -> Reader:
    async def read_query(request: AnyRequest) -> T:
        version = find_version(request.scope)
        read = partial(read_query_params, request.query_params.dict(), refuses_empty=version is Version.V3)
        return read_in_version(version, kind, read)

    return read_query


_ACTING: Final = "acting"


def act_as(principal: Principal, scope: Scope) -> dict[str, Any]:
    """Return the state of a request that our own pages make in the process, for somebody who has signed in.

    It cannot be sent: we create the state of a request from outside.
    """
    state = make_state(get_services(scope))
    return note_request_id(state, get_request_id(scope)) | {_ACTING: principal}


def authenticate(app: ASGIApp) -> ASGIApp:
    """Wrap everything below /api: the caller is authenticated, and may call it, before anything else is read.

    Permissions are not a guard of Litestar: it calls those in a thread, and copies the handler for each, which took a
    third of a simple request's time.
    """

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        acting: Principal | None = scope["state"].get(_ACTING)
        if acting is not None:
            scope["user"] = acting
            _require_access(scope, acting)
            await app(scope, receive, send)
            return
        services = get_services(scope)
        authorization, given_key = read_headers(scope, b"authorization", _SUBSCRIPTION_KEY)
        try:
            with measure("authenticate", _AUTHENTICATION):
                principal, key = await services.authenticator.authenticate(authorization, given_key, services.clock())
        except (Unauthenticated, Forbidden):
            await limit_address(scope)  # slows guessing down
            raise
        note_caller(scope, principal.tenant_id, key.digest)
        await limit_key(scope, key)
        add_log_fact("tenant", principal.tenant_id)
        scope["user"] = principal
        _require_access(scope, principal)
        note_deprecated(scope)
        handle_unknown_parameters(scope)
        await app(scope, receive, send)

    return let_in


def _require_access(scope: Scope, principal: Principal) -> None:
    """Raise Forbidden unless the caller has the permission that the table requires for this address."""
    routed = cast("Mapping[str, Any]", scope)
    access = find_access(routed["method"], routed["path_template"])
    principal.require_access(access, get_services(scope).settings.role_names)


def read_accept(request: AnyRequest) -> str | None:
    """Return the caller's `Accept`, whose lines are one list (RFC 9110, section 5.3); None when there is none."""
    lines = request.headers.getall("Accept", [])
    return ",".join(lines) if lines else None


def require_accepts(request: AnyRequest, *offered: str) -> str:
    """Return our media type that the caller prefers. Raises NotAcceptable when it accepts none of them."""
    chosen = choose_media_type(read_accept(request), offered)
    if chosen is None:
        raise NotAcceptable(f"This address answers {' or '.join(offered)}; send `Accept: {offered[0]}`.")
    return chosen
