"""The resource of slides' pictures, and the queries (contract sections 2 and 4)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.platform.secrets import LinkQuery


class SlideImage(msgspec.Struct, frozen=True, rename="camel"):
    """The picture of a slide; `image_url` is signed, so that a browser can open it. Sizes are in pixels."""

    slide_name: str
    """The slide's name."""
    image_url: str
    """The address of the picture: signed, valid for 12 to 24 hours, without headers."""
    width: int
    """The picture's width in pixels."""
    height: int
    """The picture's height in pixels."""


class SlideImageEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A slide of a template and its picture: `index` is the N of `Slide N`; `section` is empty without one."""

    name: str
    """The slide's name."""
    index: int
    """The N of `Slide N`."""
    section: str
    """The section's name; empty: none."""
    image_url: str
    """The address of the picture: signed, valid for 12 to 24 hours, without headers."""
    width: int
    """The picture's width in pixels."""
    height: int
    """The picture's height in pixels."""


class SlideImagesResponse(msgspec.Struct, frozen=True, rename="camel"):
    """The pictures of a template's visible slides, in their order."""

    template_name: str
    """The template's name."""
    slides: list[SlideImageEntry]
    """The visible slides, in their order."""


class PictureQuery(msgspec.Struct, frozen=True):
    """The query of pictures: their width in pixels."""

    width: Annotated[int, Meta(ge=160, le=2560, description="The width of each picture, in pixels.")] = 1280


class TemplatePictureQuery(PictureQuery, frozen=True):
    """The query of pictures of a template's slides: in v3 also the revision."""

    revision: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The revision; default: the current one.", extra_json_schema={"x-since": "v3"}),
    ] = None


class PictureLinkQuery(LinkQuery, frozen=True):
    """The query of a signed link to a picture: its revision, its page (from 1), and its size in pixels."""

    revision: int
    page: int
    width: int
    height: int
