"""SCIM's addresses: the protocol's own routes. Each request runs in one transaction of the token's firm."""

import json
from typing import TYPE_CHECKING, Any, Final

from litestar import Controller, Response, route
from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

from meetdeck.connections.directory.answers import answer_error
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Forbidden, Unauthenticated
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import get_services
from meetdeck.platform.http.limits import limit_address, limit_directory
from meetdeck.platform.identity import ScimToken
from meetdeck.platform.process.log_facts import add_log_fact, find_logged_request_id

if TYPE_CHECKING:
    from meetdeck.connections.directory.protocol import ScimRequest, ScimResponse

PATH: Final = "/scim/v2"
_READING: Final = frozenset({"GET", "HEAD"})
_NAMES: Final = frozenset({"ServiceProviderConfig", "ResourceTypes", "Schemas", "Users", "Groups"})
_SEARCH: Final = "/.search"


def authenticate_directory(app: ASGIApp) -> ASGIApp:
    """Return an app that checks the directory's token before the rest of a request to `/scim` is read."""

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        services = get_services(scope)
        authorization = Headers.from_scope(scope).get("Authorization")
        try:
            token = await services.directories.authenticate(authorization, services.clock())
        except (Unauthenticated, Forbidden):
            await limit_address(scope)  # slows guessing down
            raise
        await limit_directory(scope, token)
        add_log_fact("tenant", token.tenant_id)
        scope["user"] = token
        await app(scope, receive, send)

    return let_in


class Directory(Controller):
    """Users, groups and the service's own description; scim2-server dispatches methods and addresses."""

    path = PATH
    include_in_schema = False

    @route(["/", "/{address:path}"], http_method=["GET", "POST", "PUT", "PATCH", "DELETE"], status_code=200)
    async def serve(self, request: AnyRequest) -> Response[Any]:
        """Answer a request of SCIM."""
        from scim2_models import SCIMException  # noqa: PLC0415 - a second and 40 MB that only directories are worth

        from meetdeck.connections.directory.protocol import PROTOCOL  # noqa: PLC0415 - the same

        asked = await _read(request)
        request.scope["path_template"] = _name_route(asked.path)
        try:
            answer = await _run(request, asked)
        except SCIMException as error:
            answer = PROTOCOL.error_response(error)
            if error.scim_type or answer.status < 500:  # noqa: PLR2004 - 501 for what is not offered is not a failure
                return _answer(answer)
            return answer_error(answer.status, error.detail)
        return _answer(answer)


def _name_route(path: str) -> str:
    """Return the address for metrics: without ids and unknown segments."""
    name, _, rest = path.strip("/").partition("/")
    return f"{PATH}/{name}{'/{id}' if rest else ''}" if name in _NAMES else f"{PATH}/{{address}}"


async def _read(request: AnyRequest) -> "ScimRequest":
    from meetdeck.connections.directory.protocol import ScimRequest  # noqa: PLC0415 - as above

    services = get_services(request.scope)
    return ScimRequest(
        method="GET" if request.method == "HEAD" else str(request.method),
        base_url=f"{services.settings.base_url}{PATH}",
        path=request.scope["path"].removeprefix(PATH),
        query={name: values[-1] for name, values in request.query_params.dict().items()},
        headers=list(request.headers.items()),
        body=await request.body(),
    )


async def _run(request: AnyRequest, asked: "ScimRequest") -> "ScimResponse":
    from meetdeck.connections.directory.context import Work  # noqa: PLC0415 - as above
    from meetdeck.connections.directory.protocol import PROTOCOL, AsyncScimHandler  # noqa: PLC0415
    from meetdeck.connections.directory.storage import DirectoryStorage  # noqa: PLC0415

    services, token = get_services(request.scope), request.user
    is_reading = asked.method in _READING or asked.path.endswith(_SEARCH)
    now = services.read_time(token.tenant_id)
    actor = _name(token)

    async def handle(connection: Connection) -> "ScimResponse":
        work = Work(connection, now, actor, asked.base_url, not is_reading)
        return await AsyncScimHandler(PROTOCOL, DirectoryStorage(work)).handle(asked)

    if not is_reading:
        return await services.database.run(token.tenant_id, handle)
    async with services.database.transaction(token.tenant_id, planned_anew=True) as connection:
        return await handle(connection)


def _name(token: ScimToken) -> Actor:
    """Return the actor of a directory's changes for the audit log."""
    request_id = find_logged_request_id()
    return Actor(token.token_id, token.name, request_id=request_id)


def _answer(answer: "ScimResponse") -> Response[Any]:
    headers = dict(answer.headers)
    media_type = headers.pop("Content-Type")
    body = b"" if answer.body is None else json.dumps(answer.body, default=str).encode()
    return Response(body, status_code=answer.status, media_type=media_type, headers=headers)
