"""The addresses of portals' pages."""

from typing import Any

from meetdeck.pages.files import PageFiles
from meetdeck.pages.portal.endpoints import PortalPages, SignedInPages
from meetdeck.pages.portal.manage_endpoints import ManagePages
from meetdeck.pages.portal.wish_endpoints import OfferPages, WishPages

CONTROLLERS: list[Any] = [PageFiles, SignedInPages, PortalPages, ManagePages, WishPages, OfferPages]
