"""Builds the HTTP application: wiring only."""

from functools import cache
from typing import Any, Final

from litestar import Controller, Litestar, Router
from litestar.di import Provide
from litestar.types import ASGIApp

from meetdeck.administration import controllers as administration
from meetdeck.assistants.endpoints import HANDLERS as ASSISTANT_HANDLERS
from meetdeck.assistants.endpoints import Assistants, authenticate_assistant, describe_resource
from meetdeck.booking import endpoints as booking
from meetdeck.connections import controllers as connections
from meetdeck.connections.calendar_feeds.endpoints import Feeds
from meetdeck.connections.directory.answers import HANDLERS as DIRECTORY_HANDLERS
from meetdeck.connections.directory.endpoints import Directory, authenticate_directory
from meetdeck.events import controllers as events
from meetdeck.labels import endpoints as labels
from meetdeck.messages import controllers as messages
from meetdeck.pages.console.controllers import CONTROLLERS as CONSOLE_PAGES
from meetdeck.pages.files import PageFiles
from meetdeck.pages.mailbox.endpoints import Mailbox
from meetdeck.pages.manual.endpoints import Manual
from meetdeck.pages.portal import controllers as portals
from meetdeck.platform.http.answers import EXCEPTION_HANDLERS, WholeAnswer
from meetdeck.platform.http.around import (
    Compression,
    ForwardingMiddleware,
    Proxies,
    RecordingMiddleware,
    RequestMiddleware,
    ServedAreas,
    list_first_steps,
)
from meetdeck.platform.http.calls import call_directly, make_state, provide_call, provide_services
from meetdeck.platform.http.limits import limit_addresses
from meetdeck.platform.http.openapi import ANYWHERE, Installation, describe_version
from meetdeck.platform.http.operations import OAuth, Operations
from meetdeck.platform.http.requests import authenticate
from meetdeck.platform.settings import EVERYTHING, Area, Settings
from meetdeck.platform.values import Duration, Version
from meetdeck.present import controllers as present
from meetdeck.sent_events import SENT_EVENTS
from meetdeck.services import Services
from meetdeck.web.pages import Pages, static_files
from meetdeck.web.sign_in import SignInPage

_SERVED = frozenset({Area.PRESENT, Area.BOOKING, Area.PAGES})
_FORM_OVERHEAD_BYTES = 64 * 1024
_MOST_JSON_BYTES: Final = 1024 * 1024
"""The limit of a body without files or deck data: 10,000 members of a group take 400 KB."""
_MOST_DIRECTORY_BYTES: Final = 4 * _MOST_JSON_BYTES
"""The limit of a body of SCIM, which spells each member of a group with its address."""


def build_app(services: Services) -> ASGIApp:
    """Wire the application."""
    settings = services.settings
    routes = make_routes_for(settings)
    ours = list_first_steps(route.path for route in routes.routes)
    app = routes if settings.only >= _SERVED else ServedAreas(routes, settings.only)
    app = Compression(app) if settings.compression else app
    app = RequestMiddleware(app, make_state(services), cors_origins=settings.cors_origins)
    tells_timing = settings.server_timing and settings.environment == "test"
    if services.tracing is not None or tells_timing:
        app = RecordingMiddleware(app, services.tracing, tells_timing=tells_timing)
    return ForwardingMiddleware(app, Proxies(settings.trusted_proxies), settings.public_path, ours)


def make_routes_for(settings: Settings) -> Litestar:
    """Return the addresses that an installation serves."""
    return make_routes(
        with_issuer=settings.issuer is None,
        max_body_bytes=settings.max_upload_bytes + _FORM_OVERHEAD_BYTES,
        areas=settings.only,
        in_test=settings.environment == "test",
    )


def describe_api(version: Version, installation: Installation = ANYWHERE) -> dict[str, Any]:
    """Return the OpenAPI document of a version, without running anything."""
    return describe_version(make_routes(), version, SENT_EVENTS, installation)


@cache
def make_routes(
    *,
    with_issuer: bool = False,
    max_body_bytes: int | None = None,
    areas: frozenset[Area] = EVERYTHING,
    in_test: bool = True,
) -> Litestar:
    """Return every address and its handler; all applications share them, because making them is slow."""
    handlers: list[Any] = [Pages, static_files, PageFiles, Manual, Operations]
    if Area.PAGES in areas:
        handlers += [*portals.CONTROLLERS, Mailbox]
    if areas >= _SERVED:  # the console calls the API of all parts
        handlers += CONSOLE_PAGES
    if with_issuer:
        handlers += [OAuth, SignInPage]
    if Area.BOOKING in areas:
        handlers += [_make_directory(), Router("/", route_handlers=[Feeds], middleware=[limit_addresses])]
    if areas >= {Area.BOOKING, Area.PRESENT}:  # the tools call the API of both
        handlers += [Router("/", route_handlers=[describe_resource], middleware=[limit_addresses])]
        handlers += [_make_assistants(max_body_bytes)]
    for version in Version:
        handlers += _make_routers(version, areas, max_body_bytes, in_test=in_test)
    app = Litestar(
        route_handlers=handlers,
        dependencies=provide_services(Services) | {"call": Provide(provide_call, sync_to_thread=False)},
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=None,  # our own documents, one for each version
        logging_config=None,  # structlog is already configured
        type_encoders={Duration: str},
        request_max_body_size=max_body_bytes,
    )
    call_directly(app)
    return app


def _make_routers(
    version: Version, served: frozenset[Area], max_body_bytes: int | None, *, in_test: bool
) -> list[Router]:
    """Return the services of a version, behind authentication; addresses with a signed link need none.

    Controllers are registered with whole paths: Litestar copies all handlers of a router that is inside another.
    """
    parts = (
        ("/present", {Area.PRESENT}, present.list_controllers(version)),
        ("/booking", {Area.BOOKING}, _list_booking(version)),
        ("/events", {Area.PRESENT, Area.BOOKING}, events.list_controllers(version)),
        ("", {Area.PRESENT, Area.BOOKING}, administration.list_controllers(version, in_test=in_test)),
    )
    public = [
        Router(f"/api/{version}/present", route_handlers=present.PUBLIC_CONTROLLERS, middleware=[limit_addresses])
    ]
    return [
        *(public if Area.PRESENT in served else []),
        *(
            Router(
                f"/api/{version}{prefix}",
                route_handlers=controllers,
                middleware=[authenticate],
                response_class=WholeAnswer,
                request_max_body_size=max_body_bytes if prefix == "/present" else _MOST_JSON_BYTES,
            )
            for prefix, areas, controllers in parts
            if controllers and areas & served
        ),
    ]


def _make_directory() -> Router:
    """Return SCIM, behind the tokens of firms' directories."""
    return Router(
        "/",
        route_handlers=[Directory],
        middleware=[authenticate_directory],
        exception_handlers=DIRECTORY_HANDLERS,
        request_max_body_size=_MOST_DIRECTORY_BYTES,
    )


def _make_assistants(max_body_bytes: int | None) -> Router:
    """Return the Model Context Protocol, behind the tokens of the API."""
    return Router(
        "/",
        route_handlers=[Assistants],
        middleware=[authenticate_assistant],
        exception_handlers=dict(ASSISTANT_HANDLERS),
        request_max_body_size=max_body_bytes,
    )


def _list_booking(version: Version) -> list[type[Controller]]:
    """Return the addresses below `/booking`, including those of other areas about its resources."""
    areas = (booking, connections, labels, messages, portals)
    return [controller for area in areas for controller in area.list_controllers(version)]
