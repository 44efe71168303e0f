"""The presentation service's addresses (contract section 4): parse, open the transaction, shape the answer."""

from litestar import Controller

from meetdeck.platform.http.versions import Version
from meetdeck.present.endpoints.contents import Downloads, StoredContents
from meetdeck.present.endpoints.pictures import SignedPictures, SlideImages
from meetdeck.present.endpoints.slides import Slides
from meetdeck.present.endpoints.templates import TemplateLabels, Templates

PUBLIC_CONTROLLERS = (Downloads, SignedPictures)
"""The addresses that need no credentials: their links are signed."""


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    since_v3 = [TemplateLabels] if version is Version.V3 else []
    return [Templates, *since_v3, SlideImages, Slides, StoredContents]
