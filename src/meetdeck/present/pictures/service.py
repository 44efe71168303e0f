"""Pictures of a template's slides (docs/api/pdfs.md#pictures): the list of them, their addresses, drawing them."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from meetdeck.platform.database import Connection
from meetdeck.platform.secrets import SignedLinks
from meetdeck.platform.work import JobQueue
from meetdeck.present.deck import SlideInfo, Template
from meetdeck.present.errors import PictureNotFound, SlideNotFound
from meetdeck.present.pictures.schemas import PictureQuery
from meetdeck.present.render.pages import PictureFormat, picture_size
from meetdeck.present.renderings import PagePicture, Renderings, Source
from meetdeck.present.templates.schemas import StoredTemplate
from meetdeck.present.templates.service import TemplateFiles
from meetdeck.present.templates.store import find_template_revision

# A picture's address is the same for this long, so that a browser's cache knows it, and valid for at least as long.
_LINK_STEP: Final = timedelta(hours=12)


class PictureKey(NamedTuple):
    """A picture's key: a template's revision, a page of its PDF (counted from 1), and its size in pixels."""

    template_id: UUID
    revision: int
    page: int
    width: int
    height: int

    @property
    def resource(self) -> str:
        """The resource for which links to it are signed."""
        return f"picture/{self.template_id}/{self.revision}/{self.page}/{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class PicturedSlide:
    """A visible slide, and its picture."""

    slide: SlideInfo
    picture: PictureKey


async def get_pictured(connection: Connection, picture: PictureKey) -> StoredTemplate:
    """Return the template at the revision of a picture. Raises PictureNotFound."""
    found = await find_template_revision(connection, picture.template_id, picture.revision)
    if found is None:
        raise PictureNotFound
    return found


@dataclass(frozen=True, slots=True)
class Pictures:
    """Lists, names and draws pictures. Called outside transactions."""

    files: TemplateFiles
    renderings: Renderings
    links: SignedLinks
    background: JobQueue

    async def list_slides(self, template: StoredTemplate, *, width: int) -> list[PicturedSlide]:
        """Return the template's visible slides, in their order; nothing is drawn."""
        compiled = await self.files.compile(template)
        return [
            PicturedSlide(slide, _picture_of(template, compiled, page, width))
            for page, slide in enumerate(compiled.shown, start=1)
        ]

    async def get_slide(self, template: StoredTemplate, name: str, *, width: int) -> PicturedSlide:
        """Return the slide of that name, or of the alias `Slide N`. Raises SlideNotFound, also for a hidden one."""
        compiled = await self.files.compile(template)
        slide = compiled.find_slide(name)
        if slide is None or slide.hidden:
            shown = [one.name for one in compiled.shown]
            raise SlideNotFound(template.name, name, shown, is_hidden=slide is not None)
        page = compiled.shown.index(slide) + 1
        return PicturedSlide(slide, _picture_of(template, compiled, page, width))

    def sign_address(self, address: str, tenant_id: UUID, picture: PictureKey, now: datetime) -> str:
        """Return a signed address of a picture for browsers; `address` is that of the template's pictures."""
        which = {name: str(value) for name, value in picture._asdict().items() if name != "template_id"}
        signed = self.links.sign(tenant_id, picture.resource, _expiry_of_links(now))
        return f"{address}?{urlencode(which | signed)}"

    async def describe_drawing(self, picture: PictureKey, picture_format: PictureFormat) -> bytes:
        """Return everything that decides a picture's bytes, for its entity tag; nothing is read or drawn."""
        return f"{await self.renderings.get_version()}/{picture.resource}.{picture_format}".encode()

    async def draw(self, template: StoredTemplate, picture: PictureKey, picture_format: PictureFormat) -> bytes:
        """Return a picture, drawn or stored; `template` is at the picture's revision. Raises the renderer's errors."""
        source = Source(template.tenant_id, template.digest, lambda: self.files.read(template))
        page = PagePicture(picture.page, picture.width, picture.height, picture_format)
        return await self.renderings.get_picture(source, page)

    def prepare(self, template: StoredTemplate) -> None:
        """Draw the pictures of a browser's gallery in advance, in the background."""
        self.background.add(f"pictures of template '{template.name}'", lambda: self._prepare(template))

    async def _prepare(self, template: StoredTemplate) -> None:
        for pictured in await self.list_slides(template, width=PictureQuery().width):
            await self.draw(template, pictured.picture, "webp")


def _picture_of(template: StoredTemplate, compiled: Template, page: int, width: int) -> PictureKey:
    size = picture_size(width, *compiled.slide_size)
    return PictureKey(template.template_id, template.revision, page, *size)


def _expiry_of_links(now: datetime) -> datetime:
    """Return the end of a half day of UTC, at least half a day ahead."""
    step = _LINK_STEP.total_seconds()
    return datetime.fromtimestamp(math.ceil(now.timestamp() / step + 1) * step, UTC)
