"""What the steps of our addresses are called, in words for the API page."""

from typing import Annotated
from uuid import UUID

from litestar.params import PathParameter

TemplateName = Annotated[str, PathParameter(description="The template's name.")]
TemplateIdOrName = Annotated[str, PathParameter(description="The template's `id`, or its name.")]
SlideName = Annotated[str, PathParameter(description="The slide's name, or `Slide 1`, `Slide 2` … by its place.")]
ContentId = Annotated[UUID, PathParameter(description="The `contentId` of a stored file.")]
