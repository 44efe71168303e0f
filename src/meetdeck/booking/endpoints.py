"""The booking service's addresses."""

from litestar import Controller

from meetdeck.booking.configuration import endpoints as configuration
from meetdeck.booking.directory import endpoints as directory
from meetdeck.booking.scheduling import endpoints as scheduling
from meetdeck.platform.http.versions import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version, below `/booking`."""
    return [
        *directory.list_controllers(version),
        *configuration.list_controllers(version),
        *scheduling.list_controllers(version),
    ]
