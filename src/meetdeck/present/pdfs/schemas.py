"""Bodies of PDFs (contract section 2, Request objects, and section 4)."""

from enum import IntEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.platform.values import AnyCase
from meetdeck.present import examples
from meetdeck.present.contents.schemas import PowerPointFile
from meetdeck.present.render.standards import Standard

HandoutMode = Annotated[bool, Meta(description="Several slides a page; with three, ruled lines are beside them.")]
NotesPages = Annotated[bool, Meta(description="Each slide above its notes; with `handoutMode`, several beside theirs.")]


class SlidesPerPage(IntEnum):
    """The number of slides on a page of a handout."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    SIX = 6
    NINE = 9


class PaperSize(AnyCase):
    """The paper of handouts and notes pages."""

    A4 = "A4"
    LETTER = "Letter"


OnPage = Annotated[
    SlidesPerPage | None,
    Meta(description="For a handout, which it implies; default 3. At most 4 with `notesPages`."),
]
Paper = Annotated[PaperSize, Meta(description="The paper of handouts and notes pages.")]
Conformance = Annotated[
    list[Standard],
    Meta(description="The standards that the PDF must conform to: PDF/UA-1 for accessibility, PDF/A-2b for archives."),
]


class PdfOptions(msgspec.Struct, frozen=True, rename="camel"):
    """The pages of the PDF: slides, several slides a page, notes pages, or slides beside their notes."""

    handout_mode: HandoutMode = False
    notes_pages: NotesPages = False
    slides_per_page: OnPage = None
    paper_size: Paper = PaperSize.A4
    conformance: Conformance = msgspec.field(default_factory=list[Standard])


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
    slides_per_page: OnPage = None
    paper_size: PaperSize | None = None
    conformance: Annotated[str, Meta(description="The standards, separated by commas.")] = ""


class RendererState(msgspec.Struct, frozen=True):
    """The state of the renderer of PDFs and pictures."""

    available: bool
    """True if the renderer is available: PDFs and pictures can be made now."""
    name: str | None
    """The program and its version; null while it is unavailable."""
    problem: str | None
    """The problem and its remedy; null while it is available."""
