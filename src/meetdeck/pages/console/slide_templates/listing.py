"""Templates as the API answers them, and the console's calls for them."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import Api, ApiRefusal, TaggedResource
from meetdeck.pages.console.slide_templates.finding_words import describe_finding
from meetdeck.pages.texts import Texts
from meetdeck.platform.errors import NotFound

PATH: Final = "present/templates"
DRAWN_WIDTH: Final = 1280
"""The width of the pictures that are drawn after an upload, before anybody requests them (docs/api/pdfs.md)."""


class Entry(msgspec.Struct, frozen=True, rename="camel"):
    """A template in a list."""

    id: UUID
    name: str
    customer_type: str
    revision: int
    updated_at: datetime
    labels: list[str] = []


class Place(msgspec.Struct, frozen=True):
    """A place of a tag."""

    slide: str
    shape: str
    part: str
    paragraph: int


class Tag(msgspec.Struct, frozen=True):
    """A tag of a template."""

    name: str
    description: str
    type: str
    occurrences: list[Place]


class Finding(msgspec.Struct, frozen=True):
    """A finding about a template; `location` is the slide's name, empty for the file."""

    type: str
    message: str
    location: str
    details: dict[str, Any] = {}

    @property
    def shape(self) -> str:
        """Return the name of the shape, empty for none."""
        return str(self.details.get("shape") or "")

    def describe(self, texts: Texts) -> str:
        """Return the finding in the page's language."""
        return describe_finding(texts, self.details)


class Template(Entry, frozen=True, rename="camel"):
    """A template with its tags and findings."""

    tags: list[Tag] = []
    findings: list[Finding] = []
    example: dict[str, Any] = {}


class Slide(msgspec.Struct, frozen=True):
    """A slide of a template: its place from 1, and the size of its picture in pixels."""

    name: str
    index: int
    section: str
    width: int
    height: int


class Revision(msgspec.Struct, frozen=True, rename="camel"):
    """A present or former file of a template; the size is in bytes."""

    revision: int
    size: int
    created_at: datetime
    created_by: UUID
    findings: int


class _Slides(msgspec.Struct, frozen=True):
    slides: list[Slide]


async def list_templates(api: Api, tag: str = "") -> list[Entry]:
    """Return the firm's templates by name: all, or those with a part of a tag's name."""
    return await api.get(PATH, list[Entry], tag=tag or None)


async def open_template(api: Api, template_id: UUID) -> TaggedResource[Template]:
    """Return a template. Raises NotFound."""
    found = next((one for one in await list_templates(api) if one.id == template_id), None)
    if found is None:
        raise NotFound("There is no such template.")
    answer = await api.send("GET", address(found.name))
    return TaggedResource(answer.read(Template), answer.tag)


async def list_slides(api: Api, name: str, *, width: int, revision: int | None = None) -> list[Slide]:
    """Return a template's slides at a revision, None for the current one."""
    return (await api.get(f"{address(name)}/slides", _Slides, width=width, revision=revision)).slides


async def list_revisions(api: Api, name: str) -> list[Revision]:
    """Return a template's revisions, the newest first."""
    return await api.get(f"{address(name)}/revisions", list[Revision])


async def find_picture(api: Api, name: str, slide: str, *, width: int, revision: int) -> bytes | None:
    """Return the picture of a slide, None if it cannot be drawn."""
    try:
        answer = await api.send(
            "GET",
            f"{address(name)}/slides/{quote(slide, safe='')}",
            query={"width": width, "revision": revision},
            headers={"Accept": "image/webp"},
        )
    except ApiRefusal as refused:
        if refused.status in {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS}:
            return None
        raise
    return answer.content


def address(name: str) -> str:
    """Return the path of a template in the API."""
    return f"{PATH}/{quote(name, safe='')}"
