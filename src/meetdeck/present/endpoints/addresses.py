"""Descriptions of the path parameters of the presentation service's addresses."""

from typing import Annotated
from uuid import UUID

from litestar.openapi.spec import Example
from litestar.params import PathParameter

from meetdeck.present import examples

_TEMPLATE = [Example(value=examples.TEMPLATE)]
_SLIDE = [Example(value="Cover")]

TemplateName = Annotated[str, PathParameter(description="The template's name.", examples=_TEMPLATE)]
TemplateIdOrName = Annotated[str, PathParameter(description="The template's `id`, or its name.", examples=_TEMPLATE)]
SlideName = Annotated[
    str, PathParameter(description="The slide's name, or `Slide 1`, `Slide 2` … by its place.", examples=_SLIDE)
]
ContentId = Annotated[UUID, PathParameter(description="The `contentId` of a stored file.")]
