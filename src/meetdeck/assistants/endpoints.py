"""The address of the Model Context Protocol, and the document by which its clients find the token issuer."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, cast

import structlog
from litestar import Controller, Response, get, post
from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

import meetdeck
from meetdeck.assistants.calls import FirmApi
from meetdeck.assistants.protocol import (
    CALL_TOOL,
    Described,
    Message,
    ProtocolError,
    answer_protocol,
    read_message,
    write_error,
    write_result,
)
from meetdeck.assistants.tools import INSTRUCTIONS, call_tool, find_tools, list_tools
from meetdeck.platform.errors import Forbidden, NotFound, Unauthenticated
from meetdeck.platform.http.answers import EXCEPTION_HANDLERS, AnyRequest, answer_refusal
from meetdeck.platform.http.calls import RequestServices, get_services
from meetdeck.platform.http.limits import limit_address, limit_caller, limit_key
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER
from meetdeck.platform.identity import read_rate_limit
from meetdeck.platform.process.log_facts import add_log_fact
from meetdeck.platform.settings import ANY_ORIGIN, AssistantAccess, Settings
from meetdeck.web.own_api import OwnApi

PATH: Final = "/mcp"
RESOURCE_PATH: Final = f"/.well-known/oauth-protected-resource{PATH}"
_JSON: Final = "application/json"
log = structlog.stdlib.get_logger()


class NoAssistants(NotFound):
    """The operator has not switched assistants on."""

    code = "assistants_off"

    def __init__(self) -> None:
        super().__init__("Assistants are not switched on here: the operator sets MEETDECK_MCP to `read` or `on`.")


def authenticate_assistant(app: ASGIApp) -> ASGIApp:
    """Return an app that checks switch, origin and token before the rest of a request is read.

    A client of OAuth sends a token alone; one with a subscription key counts for that key's limit.
    """

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        services = get_services(scope)
        if services.settings.mcp is AssistantAccess.OFF:
            raise NoAssistants
        headers = Headers.from_scope(scope)
        _check_origin(headers.get("Origin"), services.settings)
        try:
            await _authenticate(scope, services, headers)
        except (Unauthenticated, Forbidden):
            await limit_address(scope)  # slows guessing down
            raise
        add_log_fact("tenant", scope["user"].tenant_id)
        await app(scope, receive, send)

    return let_in


async def _authenticate(scope: Scope, services: RequestServices, headers: Headers) -> None:
    authorization, key = headers.get("Authorization"), headers.get(SUBSCRIPTION_KEY_HEADER)
    if key is not None:
        scope["user"], known = await services.authenticator.authenticate(authorization, key, services.clock())
        await limit_key(scope, known)
        return
    scope["user"] = caller = await services.authenticator.authenticate_token(authorization, services.clock())
    await limit_caller(scope, caller, await read_rate_limit(services.database, caller.tenant_id))


def _check_origin(origin: str | None, settings: Settings) -> None:
    """Raise Forbidden for a page of another site, as the protocol requires against DNS rebinding."""
    own = settings.base_url.removesuffix(settings.public_path)
    if origin is not None and origin not in {own, *settings.cors_origins} and ANY_ORIGIN not in settings.cors_origins:
        raise Forbidden(
            f"Pages of {origin} may not call this address: the operator lists them in MEETDECK_CORS_ORIGINS."
        )


def _answer_unauthenticated(request: AnyRequest, error: Unauthenticated) -> Response[bytes]:
    """Answer a request without a valid token with where to get one (RFC 9728, section 5.1)."""
    answer = answer_refusal(request, error)
    address = f"{get_services(request.scope).settings.base_url}{RESOURCE_PATH}"
    answer.headers["WWW-Authenticate"] = f'Bearer realm="meetdeck", resource_metadata="{address}"'
    return answer


HANDLERS: Final[Mapping[int | type[Exception], Any]] = {**EXCEPTION_HANDLERS, Unauthenticated: _answer_unauthenticated}


class Assistants(Controller):
    """The tools for assistants. Each request is answered by itself; there are no sessions and no streams."""

    path = PATH
    include_in_schema = False

    @post(status_code=200)
    async def answer(self, request: AnyRequest) -> Response[bytes]:
        """Answer a message of the protocol."""
        services = get_services(request.scope)
        access = services.settings.mcp
        server = Described(_introduce(), INSTRUCTIONS, list_tools(access))
        try:
            message = read_message(
                await request.body(), {name.lower(): value for name, value in request.headers.items()}
            )
            if message.is_notification:
                return Response(b"", status_code=HTTPStatus.ACCEPTED)
            if message.method != CALL_TOOL:
                return Response(write_result(message, answer_protocol(message, server), server), media_type=_JSON)
            result = await _call(request, message, access)
        except ProtocolError as error:
            return Response(write_error(error), status_code=error.status, media_type=_JSON)
        return Response(write_result(message, result, server), media_type=_JSON)


async def _call(request: AnyRequest, message: Message, access: AssistantAccess) -> dict[str, Any]:
    """Return the result of a call of a tool. Raises ProtocolError for one that is not there."""
    name, arguments = message.params.get("name"), message.params.get("arguments")
    tools = find_tools(access)
    if not isinstance(name, str) or name not in tools:
        raise message.refuse(f"There is no tool {name!r} here: there are {', '.join(tools)}.")
    if arguments is not None and not isinstance(arguments, dict):
        raise message.refuse("`arguments` must be an object.")
    now = get_services(request.scope).read_time(request.user.tenant_id)
    api = FirmApi(OwnApi(request, request.user), now)
    result = await call_tool(api, tools[name], cast("dict[str, Any] | None", arguments) or {})
    log.info("assistant", tool=name, refused=result["isError"], client=request.user.client or str(request.user.user_id))
    return result


def _introduce() -> dict[str, Any]:
    return {"name": "meetdeck", "title": "Meetdeck", "version": meetdeck.__version__}


@get(RESOURCE_PATH, include_in_schema=False)
async def describe_resource(request: AnyRequest) -> dict[str, Any]:
    """Answer which issuer's tokens the address takes (RFC 9728)."""
    settings = get_services(request.scope).settings
    if settings.mcp is AssistantAccess.OFF:
        raise NoAssistants
    return {
        "resource": f"{settings.base_url}{PATH}",
        "resource_name": "Meetdeck",
        "authorization_servers": [settings.issuer or settings.base_url],
        "bearer_methods_supported": ["header"],
        "resource_documentation": f"{settings.base_url}/docs/assistants",
    }
