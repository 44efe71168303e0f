"""The booking service's addresses of one version."""

from litestar import Router

from meetdeck.booking.configuration import endpoints as configuration
from meetdeck.booking.directory import endpoints as directory
from meetdeck.booking.scheduling import endpoints as scheduling
from meetdeck.platform.http.versions import Version


def make_router(version: Version) -> Router:
    """Return them."""
    routers = [directory.make_router(version), configuration.make_router(version), scheduling.make_router(version)]
    return Router(f"/api/{version}/booking", route_handlers=routers)
