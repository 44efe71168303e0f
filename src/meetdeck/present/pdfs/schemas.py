"""Bodies of PDFs (contract section 2, Request objects, and section 4)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.present import examples
from meetdeck.present.contents.schemas import PowerPointFile

HandoutMode = Annotated[bool, Meta(description="Three slides a page, beside ruled lines.")]
NotesPages = Annotated[bool, Meta(description="Each slide above its notes; with `handoutMode`, three beside theirs.")]


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
