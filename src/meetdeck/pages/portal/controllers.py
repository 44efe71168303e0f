"""The addresses of portals' pages."""

from typing import Any

from litestar import Controller

from meetdeck.pages.portal.confirm_endpoints import AddressChangePages, ConfirmationPages
from meetdeck.pages.portal.endpoints import PortalPages, SignedInPages
from meetdeck.pages.portal.manage_endpoints import ManagePages
from meetdeck.pages.portal.preview import PortalPreviews
from meetdeck.pages.portal.wish_endpoints import OfferPages, WishPages
from meetdeck.platform.values import Version

CONTROLLERS: list[Any] = [
    SignedInPages,
    PortalPages,
    ManagePages,
    AddressChangePages,
    ConfirmationPages,
    WishPages,
    OfferPages,
]


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version, below `/booking`."""
    return [PortalPreviews] if version is Version.V3 else []
