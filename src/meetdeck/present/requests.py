"""The bodies and queries that the presentation service takes (contract section 2, Request objects, and section 4)."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from meetdeck.labels.model import LabelMatch
from meetdeck.platform.wire import UploadedFile

_V3 = msgspec.Meta(extra_json_schema={"x-since": "v3"})


class SlideEntry(msgspec.Struct, frozen=True, rename="camel"):
    """One slide of the deck: which slide of the template, and the values of its tags."""

    slide_id: str
    data: dict[str, Any] = {}


class BuildDeck(msgspec.Struct, frozen=True):
    """POST /slides."""

    template: str
    slides: list[SlideEntry]


class BuildDeckQuery(msgspec.Struct, frozen=True):
    """The query of POST /slides: `missing=error` refuses tags without a value."""

    missing: Literal["empty", "error"] = "empty"


class GenerateDeck(msgspec.Struct, frozen=True):
    """POST /slides/generate: the whole template, filled with one data."""

    template: str
    data: dict[str, Any] = {}


class PdfOptions(msgspec.Struct, frozen=True, rename="camel"):
    """What the PDF shows: the slides, three a page beside ruled lines, notes pages, or three beside their notes."""

    handout_mode: bool = False
    notes_pages: bool = False


class MakePdf(msgspec.Struct, frozen=True, rename="camel"):
    """POST /slides/pdf with a JSON body."""

    slide_location: str
    options: PdfOptions = PdfOptions()


class MakePdfForm(msgspec.Struct, frozen=True, rename="camel"):
    """POST /slides/pdf with a file; options as JSON text, or each as a field of its own."""

    file: UploadedFile
    options: str = "{}"
    handout_mode: bool = False
    notes_pages: bool = False


class PictureQuery(msgspec.Struct, frozen=True):
    """The query of slides' pictures: their width in pixels."""

    width: Annotated[int, msgspec.Meta(ge=160, le=2560)] = 1280


class TemplatesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /templates: only those that carry the labels; several must all be carried unless any is asked for."""

    labels: Annotated[list[str], _V3] = []
    label_match: Annotated[LabelMatch, _V3] = LabelMatch.ALL


class ReplaceLabels(msgspec.Struct, frozen=True):
    """PATCH /templates/{id}/labels: what the template carries from now on, and nothing else."""

    labels: list[str]


class UploadTemplate(msgspec.Struct, frozen=True, rename="camel"):
    """POST /templates with a stored content."""

    content_id: UUID
    name: str
    category: str = ""


class UploadTemplateForm(msgspec.Struct, frozen=True):
    """POST /templates with a file."""

    file: UploadedFile
    name: str
    category: str = ""


class ValidateTemplate(msgspec.Struct, frozen=True, rename="camel"):
    """POST /templates/validation with a stored content."""

    content_id: UUID


class ValidateTemplateForm(msgspec.Struct, frozen=True):
    """POST /templates/validation with a file."""

    file: UploadedFile


class UploadContentForm(msgspec.Struct, frozen=True):
    """POST /contents."""

    file: UploadedFile


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
