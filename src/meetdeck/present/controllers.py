"""The presentation service's addresses (contract section 4)."""

from collections.abc import Sequence
from typing import Any, Final

from litestar import Controller

from meetdeck.platform.changes import EventType
from meetdeck.platform.values import Version
from meetdeck.present.contents.endpoints import Downloads, StoredContents
from meetdeck.present.contents.schemas import Content
from meetdeck.present.decks.endpoints import SlidePictures, Slides
from meetdeck.present.pdfs.endpoints import RendererStates, SlidesAsPdf
from meetdeck.present.pictures.endpoints import SignedPictures, SlideImages
from meetdeck.present.recipes.endpoints import Recipes
from meetdeck.present.template_uploads.endpoints import Uploads
from meetdeck.present.templates.endpoints import TemplateLabels, TemplateRevisions, Templates, TemplatesData
from meetdeck.present.templates.schemas import SlideTemplate, SlideTemplateDetails
from meetdeck.present.usage.endpoints import TemplatesReports

EVENT_DATA: Final[dict[EventType, Sequence[type[Any]]]] = {
    EventType.TEMPLATE_UPLOADED: (SlideTemplateDetails,),
    EventType.TEMPLATE_CHANGED: (SlideTemplate,),
    EventType.TEMPLATE_DELETED: (SlideTemplate,),
    EventType.CONTENT_CREATED: (Content,),
}
"""The data Structs of template and content events."""

PUBLIC_CONTROLLERS = (Downloads, SignedPictures)
"""The addresses that need no credentials: their links are signed."""


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version; some are only in v3."""
    common: list[type[Controller]] = [Templates, Uploads, SlideImages, Slides, SlidesAsPdf, StoredContents]
    since_v3 = [
        TemplateLabels,
        TemplateRevisions,
        TemplatesData,
        SlidePictures,
        Recipes,
        RendererStates,
        TemplatesReports,
    ]
    return [*common, *since_v3] if version is Version.V3 else common
