"""The bodies and queries that the presentation service takes (contract section 2, Request objects, and section 4)."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.labels.schemas import LabelMatch
from meetdeck.platform.serialization import AnyCase, UploadedFile
from meetdeck.present import examples

_V3 = Meta(extra_json_schema={"x-since": "v3"})

Data = Annotated[
    dict[str, Any],
    Meta(
        description="The values of the tags. In v3, `example` of GET /templates/{name} shows what a template wants.",
        examples=[examples.DATA],
    ),
]
GivenTemplate = Annotated[str, Meta(description="The template's name.", examples=[examples.TEMPLATE])]
TemplateName = Annotated[
    str,
    Meta(
        description="1 to 200 characters. When a template has the name, the file becomes its next revision.",
        examples=["My review"],
    ),
]
Category = Annotated[str, Meta(description="For which customers: the template's `customerType`.", examples=["Private"])]
PowerPointFile = Annotated[UploadedFile, Meta(description="A PowerPoint file: .pptx, .potx or .ppsx.")]
GivenContent = Annotated[UUID, Meta(description="The `contentId` of a stored file, as POST /contents answers it.")]
HandoutMode = Annotated[bool, Meta(description="Three slides a page, beside ruled lines.")]
NotesPages = Annotated[bool, Meta(description="Each slide above its notes; with `handoutMode`, three beside theirs.")]


class SlideEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One slide of the deck: which slide of the template, and the values of its tags."""

    slide_id: Annotated[
        str, Meta(description="The slide's name, or `Slide 1`, `Slide 2` … by its place.", examples=["Cover"])
    ]
    data: Data = {}


class BuildDeck(msgspec.Struct, frozen=True):
    """POST /slides."""

    template: GivenTemplate
    slides: Annotated[
        list[SlideEntry],
        Meta(description="In the order of the deck; one may come several times, each time with its own data."),
    ]


class Missing(AnyCase):
    """The treatment of a tag without a value."""

    EMPTY = "empty"
    ERROR = "error"


class BuildDeckQuery(msgspec.Struct, frozen=True):
    """The query of POST /slides: `missing=error` refuses tags without a value."""

    missing: Annotated[
        Missing,
        Meta(description="A tag without a value becomes empty text, or refuses the deck (400) with all of them named."),
    ] = Missing.EMPTY


class GenerateDeck(msgspec.Struct, frozen=True):
    """POST /slides/generate: the whole template, filled with one data."""

    template: GivenTemplate
    data: Data = {}


class PdfOptions(msgspec.Struct, frozen=True, rename="camel"):
    """The pages of the PDF: the slides, three a page beside ruled lines, notes pages, or three beside their notes."""

    handout_mode: HandoutMode = False
    notes_pages: NotesPages = False


class MakePdf(msgspec.Struct, frozen=True, rename="camel"):
    """POST /slides/pdf with a JSON body."""

    slide_location: Annotated[
        str,
        Meta(
            description="A template's `uri`, whole or from its path on; or a content: its `contentId`, `slideLocation` "
            "or `downloadUrl`. Nothing is fetched from outside.",
            examples=[examples.LOCATION],
        ),
    ]
    options: PdfOptions = PdfOptions()
    """The pages of the PDF."""


class MakePdfForm(msgspec.Struct, frozen=True, rename="camel"):
    """POST /slides/pdf with a file; options as JSON text, or each as a field of its own."""

    file: PowerPointFile
    options: Annotated[str, Meta(description="PDF options as JSON text; or send each as a field of its own.")] = "{}"
    handout_mode: HandoutMode = False
    notes_pages: NotesPages = False


class PictureQuery(msgspec.Struct, frozen=True):
    """The query of slides' pictures: their width in pixels."""

    width: Annotated[int, Meta(ge=160, le=2560, description="Of each picture, in pixels.")] = 1280


class TemplatesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /templates: only those that carry the labels; several must all be carried unless any is asked for."""

    labels: Annotated[list[str], _V3, Meta(description="Separated by commas, or repeated.")] = []
    label_match: Annotated[LabelMatch, _V3, Meta(description="Whether all labels must be carried, or any.")] = (
        LabelMatch.ALL
    )


class ReplaceLabels(msgspec.Struct, frozen=True):
    """PATCH /templates/{id}/labels: what the template carries from now on, and nothing else."""

    labels: Annotated[list[str], Meta(description="Those that are new are registered.", examples=[["Private"]])]


class UploadTemplate(msgspec.Struct, frozen=True, rename="camel"):
    """POST /templates with a stored content."""

    content_id: GivenContent
    name: TemplateName
    category: Category = ""


class UploadTemplateForm(msgspec.Struct, frozen=True):
    """POST /templates with a file."""

    file: PowerPointFile
    name: TemplateName
    category: Category = ""


class ValidateTemplate(msgspec.Struct, frozen=True, rename="camel"):
    """POST /templates/validation with a stored content."""

    content_id: GivenContent


class ValidateTemplateForm(msgspec.Struct, frozen=True):
    """POST /templates/validation with a file."""

    file: PowerPointFile


class UploadContentForm(msgspec.Struct, frozen=True):
    """POST /contents."""

    file: Annotated[UploadedFile, Meta(description="A presentation, a template, or a picture for a deck.")]


class LinkQuery(msgspec.Struct, frozen=True):
    """The query of a signed link; see `platform/links.py`."""

    tenant: UUID
    expires: int
    signature: str


class PictureLinkQuery(LinkQuery, frozen=True):
    """The query of a signed link to a picture: of which revision, which page (from 1), and its size in pixels."""

    revision: int
    page: int
    width: int
    height: int
