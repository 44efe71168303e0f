"""Bodies of uploads (contract section 2, Request objects, and section 4)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.present.contents.schemas import PowerPointFile

TemplateName = Annotated[
    str,
    Meta(
        description="1 to 200 characters. If a template has this name, the file becomes its next revision.",
        examples=["My review"],
    ),
]
Category = Annotated[
    str, Meta(description="The template's `customerType`: the customers that it is for.", examples=["Private"])
]
GivenContent = Annotated[UUID, Meta(description="The `contentId` of a stored file, as returned by POST /contents.")]


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
