"""The presentation service's addresses (contract section 4): parse, open the transaction, shape the answer."""

from litestar import Router

from meetdeck.platform.http.versions import Version
from meetdeck.present.endpoints.contents import Downloads, StoredContents
from meetdeck.present.endpoints.pictures import SignedPictures, SlideImages
from meetdeck.present.endpoints.slides import Slides
from meetdeck.present.endpoints.templates import TemplateLabels, Templates


def make_router(version: Version) -> Router:
    """Return the addresses of one version."""
    since_v3 = [TemplateLabels] if version is Version.V3 else []
    return Router(
        f"/api/{version}/present",
        route_handlers=[Templates, *since_v3, SlideImages, Slides, StoredContents],
    )


def make_public_router(version: Version) -> Router:
    """Return the addresses that need no credentials."""
    return Router(f"/api/{version}/present", route_handlers=[Downloads, SignedPictures])
