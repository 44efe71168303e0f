"""The OpenAPI 3.1 document of each version, made from the handlers and the Structs that they accept and return."""

import re
from collections import Counter
from inspect import cleandoc
from typing import NamedTuple

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

import meetdeck
from meetdeck.platform.changes import EventType
from meetdeck.platform.http.answers import Problem
from meetdeck.platform.http.calls import OWN_EVENTS
from meetdeck.platform.http.openapi.operations import (
    Operation,
    describe_operation,
    find_answered,
    find_query,
    function_of,
    list_taken,
    tags_of,
)
from meetdeck.platform.http.openapi.problems import describe_refusals
from meetdeck.platform.http.openapi.schemas import Json, Schemas, StructType
from meetdeck.platform.http.openapi.shared import HEADERS, RESPONSES, TAKEN, share_parameters, share_responses
from meetdeck.platform.http.openapi.webhooks import SentEvents, describe_webhooks
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER
from meetdeck.platform.identity import find_access
from meetdeck.platform.values import Version

_ABOUT = (
    "Book time with an advisor, and walk in with the deck. Every error is application/problem+json with a stable "
    "`code`; every answer carries `X-Request-Id`. Query parameters that an operation does not know are ignored and "
    "named in `Meetdeck-Ignored`; with `Prefer: handling=strict` they are refused, as are such members of a body."
)
_ABOUT_THE_BEARER = (
    "An access token of your identity provider, without `Bearer`. In the test environment `make run` prints one, and "
    "`POST /oauth/token` gives another when it has expired after an hour."
)
_ABOUT_THE_CLIENT = (
    "The test environment's own issuer: the `clientId` and `clientSecret` of `dev-credentials.json` get a token."
)
_ABOUT_THE_KEY = "The key of your organization; `make run` prints that of the demo. Both are needed for each call."


class Installation(NamedTuple):
    """The facts about an installation that its documents name."""

    public_url: str | None = None
    """Its address, with the path prefix of a proxy; None: the address that the document was fetched from."""
    issues_tokens: bool = False
    """True if it issues tokens itself, as in the test environment."""


ANYWHERE = Installation()


class ApiDocuments:
    """The documents of one installation, each created when first requested."""

    def __init__(self, installation: Installation, sent: SentEvents) -> None:
        self._installation = installation
        self._sent = sent
        self._documents: dict[Version, Json] = {}

    def get(self, app: Litestar, version: Version) -> Json:
        """Return a version's document."""
        if version not in self._documents:
            self._documents[version] = describe_version(app, version, self._sent, self._installation)
        return self._documents[version]


def describe_version(
    app: Litestar, version: Version, sent: SentEvents | None = None, installation: Installation = ANYWHERE
) -> Json:
    """Return the OpenAPI document of one version; events contain what v3 reads."""
    operations = _list_operations(app, version)
    sent = _add_configuration(sent, operations) if sent is not None and version is Version.V3 else None
    schemas = Schemas(
        version,
        taken={struct for one in operations for struct in list_taken(one.handler)},
        answered={struct for one in operations if (struct := find_answered(one.handler))}
        | {Problem}
        | (sent.list_structs() if sent is not None else set()),
        queries={query for one in operations if (query := find_query(one.handler))},
    )
    paths: Json = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = describe_operation(operation, schemas)
    webhooks = {"webhooks": describe_webhooks(sent, schemas)} if sent is not None else {}
    parameters = share_parameters(paths | webhooks.get("webhooks", {}))
    responses = describe_refusals(paths) | RESPONSES | (TAKEN if sent is not None else {}) | share_responses(paths)
    schemes = _describe_security(installation)
    tokens = [name for name in schemes if name != _KEY]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Meetdeck API {version}",
            "version": meetdeck.__version__,
            "description": _ABOUT,
            "contact": {"name": "The operator of this installation"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": _server(installation), "description": "This installation."}],
        "security": [{token: [], _KEY: []} for token in tokens],
        "tags": _list_tags(app, operations),
        "paths": paths,
        **webhooks,
        "components": {
            "schemas": schemas.keep_used(paths | webhooks | parameters | responses),
            "parameters": parameters,
            "headers": HEADERS,
            "responses": responses,
            "securitySchemes": schemes,
        },
    }


_KEY = "subscriptionKey"
_KEYS = re.compile(r"(/\{[^}]+\})+$")


def _server(installation: Installation) -> str:
    return installation.public_url or "/"


def _describe_security(installation: Installation) -> Json:
    """Return the credentials: the key, and a token of the caller's, or of the test environment's issuer."""
    bearer = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": _ABOUT_THE_BEARER}
    key = {"type": "apiKey", "in": "header", "name": SUBSCRIPTION_KEY_HEADER, "description": _ABOUT_THE_KEY}
    if not installation.issues_tokens:
        return {"token": bearer, _KEY: key}
    flow: Json = {"tokenUrl": f"{_server(installation).rstrip('/')}/oauth/token", "scopes": {}}
    client: Json = {"type": "oauth2", "description": _ABOUT_THE_CLIENT, "flows": {"clientCredentials": flow}}
    return {"token": bearer, "client": client, _KEY: key}


def _add_configuration(sent: SentEvents, operations: list[Operation]) -> SentEvents:
    """Return it with the data of changed configuration: each kind in the audit log, as reading it answers."""
    own = {kind for kind, _ in OWN_EVENTS}
    found: dict[str, StructType] = {}
    for one in operations:
        kind: str = one.handler.opt.get("audited", "")
        address = _KEYS.sub("", one.path)
        struct = find_answered(one.handler)
        is_read = one.method == "get" and struct is not None and address.endswith(f"/{kind}")
        if struct is not None and is_read and kind not in own and (address != one.path or kind not in found):
            found[kind] = struct
    return sent._replace(data={**sent.data, EventType.CONFIGURATION_CHANGED.value: list(found.values())})


def _list_operations(app: Litestar, version: Version) -> list[Operation]:
    """Return the operations of a version, by path. Raises RuntimeError when two operations would have one id."""
    found = [
        Operation(
            version,
            _camel(route.path_format),
            method.lower(),
            handler,
            _name_operation(route, handler),
            find_access(method, route.path_format),
        )
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path_format.startswith(f"/api/{version}/")
        for method, handler in _handlers(route).items()
        if handler.include_in_schema is not False
    ]
    twice = [name for name, count in Counter(one.operation_id for one in found).items() if count > 1]
    if twice:
        raise RuntimeError(f"Several operations are called {', '.join(twice)}: name their handlers differently.")
    return sorted(found, key=lambda operation: (operation.path, operation.method))


def _name_operation(route: HTTPRoute, handler: HTTPRouteHandler) -> str:
    """Return an operation's id: the handler's name, which depends on no other route.

    For a handler with two addresses, the one below /config has that word in its id: `listConfigRooms` beside
    `listRooms`.
    """
    verb, _, rest = handler.handler_name.partition("_")
    is_second = len(handler.paths) > 1 and "/config/" in route.path_format
    return _camel(f"{verb}_config_{rest}" if is_second else handler.handler_name)


def _list_tags(app: Litestar, operations: list[Operation]) -> list[Json]:
    """Return the tags in the order of the application, each with the docstring of its first controller."""
    places = {_camel(route.path_format): place for place, route in enumerate(app.routes)}
    descriptions: dict[str, str] = {}
    for operation in sorted(operations, key=lambda operation: places[operation.path]):
        for tag in tags_of(operation.handler):
            controller = getattr(function_of(operation.handler), "__self__", None)
            descriptions.setdefault(tag, cleandoc(type(controller).__doc__ or ""))
    return [{"name": tag, "description": text} for tag, text in descriptions.items()]


def _camel(name: str) -> str:
    """Spell a Python name the way the contracts spell theirs."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), name)


def _handlers(route: HTTPRoute) -> dict[str, HTTPRouteHandler]:
    return {
        method: handler for handler in route.route_handlers for method in handler.http_methods if method != "OPTIONS"
    }
