"""The booking service's addresses."""

from litestar import Controller

from meetdeck.booking.configuration import controllers as configuration
from meetdeck.booking.directory import controllers as directory
from meetdeck.booking.scheduling import controllers as scheduling
from meetdeck.platform.values import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version, below `/booking`."""
    return [
        *directory.list_controllers(version),
        *configuration.list_controllers(version),
        *scheduling.list_controllers(version),
    ]
