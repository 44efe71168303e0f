"""The booking service's addresses of one version."""

from litestar import Router

from meetdeck.booking.directory import endpoints as directory
from meetdeck.booking.scheduling import endpoints as scheduling
from meetdeck.platform.http.versions import Version


def make_router(version: Version) -> Router:
    """Return them."""
    return Router(f"/api/{version}/booking", route_handlers=[directory.make_router(), scheduling.make_router()])
