"""Bodies and queries of decks (contract section 2, Request objects, and section 4)."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from meetdeck.platform.values import AnyCase
from meetdeck.present import examples

Data = Annotated[
    dict[str, Any],
    Meta(
        description="The values of the tags. In v3, `example` of GET /templates/{name} shows the data of a template.",
        examples=[examples.DATA],
    ),
]
GivenTemplate = Annotated[str, Meta(description="The template's name.", examples=[examples.TEMPLATE])]


class SlideTheme(AnyCase):
    """The theme of a slide from another template."""

    TAKE = "take"
    KEEP = "keep"


class SlideEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A slide of the deck: the slide of the template, and the values of its tags."""

    slide_id: Annotated[
        str, Meta(description="The slide's name, or `Slide 1`, `Slide 2` … by its position.", examples=["Cover"])
    ]
    data: Data = {}
    template: Annotated[
        str | None,
        Meta(description="The slide's template, if it is not the deck's.", examples=["Common"]),
    ] = None
    theme: Annotated[
        SlideTheme,
        Meta(description="With `template`: the slide takes the deck's theme, or keeps its own."),
    ] = SlideTheme.TAKE


class BuildDeck(msgspec.Struct, frozen=True):
    """POST /slides."""

    template: GivenTemplate
    slides: Annotated[
        list[SlideEntry],
        Meta(description="In the order of the deck; a slide may be repeated, each time with its own data."),
    ]


class Missing(AnyCase):
    """The treatment of tags without a value."""

    EMPTY = "empty"
    ERROR = "error"


class BuildDeckQuery(msgspec.Struct, frozen=True):
    """The query of POST /slides: `missing=error` refuses tags without a value."""

    missing: Annotated[
        Missing,
        Meta(
            description="Tags without a value become empty text, or the deck is refused (400) with a list of all of "
            "them."
        ),
    ] = Missing.EMPTY


class GenerateDeck(msgspec.Struct, frozen=True):
    """POST /slides/generate: the whole template, filled with one set of data."""

    template: GivenTemplate
    data: Data = {}
