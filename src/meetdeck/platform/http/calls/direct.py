"""Calls handlers without Litestar's own steps around them (docs/decisions/0217).

All of ours take the same kinds of things: the request, its scope, ids and names of the path, and what is provided by
name. These, and their order, are known when the routes are made. Litestar still routes requests, and describes,
checks and names handlers; the few that take something else are left to it.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeGuard, cast
from uuid import UUID

from litestar import Litestar, Request, Response
from litestar._asgi.routing_trie.types import ASGIHandlerTuple, RouteTrieNode
from litestar._kwargs import KwargsModel
from litestar._signature import SignatureModel
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send
from litestar.types.empty import Empty
from litestar.typing import FieldDefinition
from litestar.utils.scope.state import ScopeState

from meetdeck.platform.http.answers import JSON, WrittenJson

_REQUEST: Final = "request"
_SCOPE: Final = "scope"
_AS_ROUTED: Final = frozenset({str, UUID})
"""The types of steps of a path for which nothing is left to check after routing."""


class _Step(NamedTuple):
    """Makes one parameter of a handler from parameters that are known by then."""

    name: str
    make: Callable[..., Any]
    takes: tuple[str, ...]
    is_awaited: bool


class QuickRequest(Request[Any, Any, Any]):
    """A request that reads a body of one message without the generator that Litestar makes for it."""

    async def body(self) -> bytes:
        """Return the body. Raises what Litestar raises for one that is too long, or ends before its end."""
        if self._body is not Empty or self._connection_state.body is not Empty:
            return await super().body()
        receive, first = self.receive, await self.receive()
        most = self.route_handler.resolve_request_max_body_size()
        if first["type"] == "http.request" and not first.get("more_body", False):
            body = first["body"]
            if not most or len(body) <= most:
                self._body = self._connection_state.body = body
                self.is_connected = False
                return body

        async def receive_again() -> Any:  # noqa: ANN401 - a message of ASGI
            self.receive = receive
            return first

        self.receive = receive_again
        return await super().body()


class DirectHandler:
    """The ASGI application of a handler: makes the handler's parameters, calls it, and sends its answer."""

    def __init__(self, handler: HTTPRouteHandler, steps: list[_Step]) -> None:
        self._handler = handler
        self._call: Callable[..., Any] = handler.fn
        self._answer: Callable[..., Awaitable[ASGIApp]] = handler.to_response  # pyright: ignore[reportUnknownMemberType] - its types are partial
        self._steps = steps
        self._takes: tuple[str, ...] = _list_parameters(handler.signature_model)
        self._takes_request = any(_REQUEST in takes for takes in (self._takes, *(step.takes for step in steps)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        known: dict[str, Any] = {**scope["path_params"], _SCOPE: scope}
        if self._takes_request:
            known[_REQUEST] = QuickRequest(scope, receive, send)
        try:
            for name, make, takes, is_awaited in self._steps:
                made = make(**{each: known[each] for each in takes})
                known[name] = await made if is_awaited else made
            result = await self._call(**{each: known[each] for each in self._takes})
            if _is_written(result):
                await _send(result, self._handler.status_code, send)
            else:
                request = known.get(_REQUEST) or Request[Any, Any, Any](scope, receive, send)
                answer = await self._answer(scope["app"], result, request)
                await answer(scope, receive, send)
        finally:
            if self._takes_request and (form := ScopeState.from_scope(scope).form) is not Empty:
                await FormMultiDict.from_form_data(form).close()


def _is_written(result: Any) -> TypeGuard[Response[bytes]]:  # noqa: ANN401 - what a handler returns
    """Return whether a handler's result is an answer with JSON that is written already, as most of the API's are."""
    if type(result) is WrittenJson:
        return not result.cookies and result.background is None
    if type(result) is not Response:
        return False
    answer = cast("Response[Any]", result)
    is_whole = answer.background is None and not answer.cookies
    return is_whole and answer.media_type == JSON and type(answer.content) is bytes


async def _send(answer: Response[bytes], status: int, send: Send) -> None:
    """Send an answer as Litestar would; `status` is that of answers without one of their own."""
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    headers += [(b"content-type", JSON.encode()), (b"content-length", str(len(answer.content)).encode())]
    await send({"type": "http.response.start", "status": answer.status_code or status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content, "more_body": False})


def call_directly(app: Litestar) -> None:
    """Replace the application's Litestar handlers by `DirectHandler`, wherever their parameters are simple.

    A direct handler makes its parameters one after the other. Litestar starts a task for each parameter that depends on
    no other, which took an eighth of a reservation's time.
    """
    taken = {
        (route.path_format, str(method)): (route, handler, model)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, model) in route.route_handler_map.items()
    }
    for node in _walk(app.asgi_router.root_route_map_node):
        for method in node.asgi_handlers:
            found = taken.get((node.path_template, method))
            if found is not None and _is_simple(*found):
                _, handler, model = found
                node.asgi_handlers[method] = ASGIHandlerTuple(_make_app(handler, model), handler)


def _walk(node: RouteTrieNode) -> Generator[RouteTrieNode]:
    """Yield the nodes of the tree by which requests are routed."""
    yield node
    for child in node.children.values():
        yield from _walk(child)


def _make_app(handler: HTTPRouteHandler, model: KwargsModel) -> ASGIApp:
    """Return a handler within its middleware; that wraps no `send`, so that errors need no answer inside of it."""
    app: ASGIApp = DirectHandler(handler, _list_steps(model))
    for middleware in handler.resolve_middleware():
        app = cast("Callable[[ASGIApp], ASGIApp]", middleware)(app)
    return app


def _list_steps(model: KwargsModel) -> list[_Step]:
    """Return the steps of what a handler takes, by name within each batch; `call` is the first."""
    ordered = (one for batch in model.dependency_batches for one in sorted(batch, key=attrgetter("key")))
    return [
        _Step(one.key, made.dependency, _list_parameters(made.signature_model), not made.has_sync_callable)
        for one in ordered
        for made in (one.provide,)
    ]


def _list_parameters(model: type[SignatureModel]) -> tuple[str, ...]:
    return tuple(model._fields)  # pyright: ignore[reportPrivateUsage] - it has no other


def _is_simple(route: HTTPRoute, handler: HTTPRouteHandler, model: KwargsModel) -> bool:
    """Return whether a handler takes nothing but what `DirectHandler` makes."""
    fields: Mapping[str, FieldDefinition] = handler.signature_model._fields  # pyright: ignore[reportPrivateUsage] - it has no other
    parts = {part.field_name for part in model.expected_path_params}
    routed = {name: part.type for name, part in route.path_parameters.items()}
    return (
        not (model.expected_query_params or model.expected_header_params or model.expected_cookie_params)
        and model.expected_reserved_kwargs <= {_REQUEST, _SCOPE}
        and all(routed.get(name) in _AS_ROUTED for name in parts)
        and all(fields[name].annotation is routed[name] for name in parts & fields.keys())
        and not handler.has_sync_callable
        and not handler.resolve_guards()  # pyright: ignore[reportUnknownMemberType] - its types are partial
    )
