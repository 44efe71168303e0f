"""Renderings: the PDF of a presentation and its derivatives, each made only once for any number of callers.

In one process all waiting callers share the same work. A lease keeps other processes from repeating it; they look into
storage for its holder's result. In storage a rendering's key contains the presentation's content, and everything else
that it depends on: engine, fonts, our own way of drawing. Nothing there is needed: a missing or damaged rendering is
made again, and a storage that cannot be used costs only time.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Self
from uuid import UUID

import structlog

from meetdeck.platform.process import LoadingCache
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.storage import Storage, StorageUnavailable, seal, unseal
from meetdeck.platform.work import Leases
from meetdeck.present.deck import address_slide_links, as_transitional
from meetdeck.present.render.failures import RecentFailures
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.pages import PictureFormat, page_picture
from meetdeck.present.render.renderer import Renderer, RenderingFailed, RenderingGivenUp
from meetdeck.present.threads import RENDERINGS

FOLDER: Final = "renderings"
"""Keys are `{tenant}/renderings/{version}/{digest in hex}/{name}`."""

# Change it when drawing, finishing or layout changes: older renderings are then not used.
_OUR_VERSION: Final = "4"
_VERSION_DIGITS: Final = 16
_MEMORY_BYTES: Final = 128 * 1024 * 1024
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 1.0

Make = Callable[[], Awaitable[bytes]]

log = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class Source:
    """A presentation to be drawn: its tenant, its content's SHA-256, and a function that reads it when needed."""

    tenant_id: UUID
    digest: bytes
    load: Make

    @classmethod
    def of(cls, tenant_id: UUID, content: bytes, *, digest: bytes) -> Self:
        """Return a presentation that is in memory."""

        async def load() -> bytes:
            return content

        return cls(tenant_id, digest, load)


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of a page (counted from 1) of a presentation's PDF; its size is in pixels."""

    page: int
    width: int
    height: int
    picture_format: PictureFormat

    @property
    def name(self) -> str:
        """The picture's name among the renderings of its presentation."""
        return f"page-{self.page}-{self.width}x{self.height}.{self.picture_format}"


class Renderings:
    """Makes and keeps renderings. Called outside transactions."""

    def __init__(
        self, renderer: Renderer, storage: Storage, leases: Leases, *, memory_bytes: int = _MEMORY_BYTES
    ) -> None:
        self._renderer = renderer
        self._storage = storage
        self._leases = leases
        self._memory = LoadingCache[tuple[UUID, str], bytes](len, limit_bytes=memory_bytes)
        self._failures = RecentFailures()
        self._version = ""

    async def name_engine(self) -> str:
        """Return the current name and version of the program that draws. Raises RendererUnavailable."""
        return await self._renderer.get_version()

    async def get_version(self) -> str:
        """Return a hash of what renderings depend on beside the presentation. Raises the renderer's errors."""
        if not self._version:
            engine, fonts = await asyncio.gather(self._renderer.get_version(), run_in_thread(installed_font_families))
            known = "\0".join((_OUR_VERSION, engine, *sorted(fonts)))
            self._version = hashlib.sha256(known.encode()).hexdigest()[:_VERSION_DIGITS]
        return self._version

    async def get_pdf(self, source: Source) -> bytes:
        """Return the PDF of the visible slides, one page each, as the renderer makes it.

        Links between slides are addresses in it (see `address_slide_links`). Raises the renderer's errors; at once for
        a presentation that it gave up recently.
        """
        identity = (source.tenant_id, source.digest)

        async def render() -> bytes:
            self._failures.require_untried(identity)
            content = await source.load()
            presentation = await RENDERINGS.run(source.tenant_id, lambda _: _prepare(content))
            try:
                return await self._renderer.to_pdf(presentation, tenant_id=source.tenant_id)
            except RenderingGivenUp as refusal:
                self._failures.record(identity, refusal)
                raise

        return await self.get(source, "slides.pdf", render)

    async def get_picture(self, source: Source, picture: PagePicture) -> bytes:
        """Return the picture of a page. Raises the renderer's errors."""

        async def draw() -> bytes:
            pdf = await self.get_pdf(source)
            return await RENDERINGS.run(source.tenant_id, lambda _: _draw(pdf, picture))

        return await self.get(source, picture.name, draw)

    async def get(self, source: Source, name: str, make: Make) -> bytes:
        """Return the rendering `name` of a presentation, stored or made by `make`; its errors reach all callers."""
        key = f"{FOLDER}/{await self.get_version()}/{source.digest.hex()}/{name}"
        return await self._memory.get((source.tenant_id, key), lambda: self._obtain(source.tenant_id, key, make))

    async def close(self) -> None:
        """Cancel the renderings in progress."""
        await self._memory.close()

    async def _obtain(self, tenant_id: UUID, key: str, make: Make) -> bytes:
        """Return it from storage, make it, or wait for the process that makes it."""
        place = f"{tenant_id}/{key}"
        pause = _FIRST_PAUSE_SECONDS
        while (found := await self._find(place)) is None:
            async with self._leases.hold(tenant_id, key) as is_ours:
                if is_ours:
                    return await self._find(place) or await self._make(place, make)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        return found

    async def _make(self, place: str, make: Make) -> bytes:
        made = await make()
        with suppress(StorageUnavailable):  # which the log has
            await self._storage.put(place, await run_in_thread(seal, made))
        return made

    async def _find(self, place: str) -> bytes | None:
        try:
            kept = await self._storage.find(place)
        except StorageUnavailable:  # which the log has
            return None
        if kept is None:
            return None
        found = await run_in_thread(unseal, kept)
        if found is None:
            log.warning("rendering damaged", key=place)
        return found


def _prepare(presentation: bytes) -> bytes:
    """Return the presentation for the renderer: LibreOffice half reads Strict Open XML, and links to wrong pages."""
    return address_slide_links(as_transitional(presentation))


def _draw(pdf: bytes, picture: PagePicture) -> bytes:
    try:
        return page_picture(
            pdf, picture.page - 1, width=picture.width, height=picture.height, picture_format=picture.picture_format
        )
    except IndexError:
        raise RenderingFailed("The presentation's list of slides is damaged: it was drawn without this one.") from None
