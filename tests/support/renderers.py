"""A renderer that a test controls, and leases without a database, for everything made of a renderer's PDF."""

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pikepdf

from meetdeck.platform.storage import Storage, digest_of
from meetdeck.platform.work import Leases
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.renderings import Renderings, Source


class BlankPages:
    """Draws that many blank pages of any presentation, once released; counts how often."""

    def __init__(self, pages: int = 2) -> None:
        self.pages = pages
        self.drawn = 0
        self.version = "Blank 1.0"
        self.error: Exception | None = None
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def to_pdf(self, pptx: bytes, *, tenant_id: UUID | None = None) -> bytes:
        del pptx, tenant_id
        self.drawn += 1
        self.begun.set()
        await self.go_on.wait()
        if self.error is not None:
            raise self.error
        out = io.BytesIO()
        with pikepdf.new() as pdf:
            for _ in range(self.pages):
                pdf.add_blank_page(page_size=(960, 540))
            pdf.save(out)
        return out.getvalue()

    async def get_version(self) -> str:
        return self.version

    async def close(self) -> None:
        """Do nothing."""


class SharedLeases(Leases):
    """Leases shared by several applications, like those of processes that share a database."""

    def __init__(self) -> None:  # pyright: ignore[reportMissingSuperCall] - there is no database
        self.held: set[tuple[UUID, str]] = set()
        self.refused = asyncio.Event()

    @asynccontextmanager
    async def hold(self, tenant_id: UUID, name: str, *, rest: timedelta | None = None) -> AsyncGenerator[bool]:
        assert rest is None
        if (tenant_id, name) in self.held:
            self.refused.set()
            yield False
            return
        self.held.add((tenant_id, name))
        try:
            yield True
        finally:
            self.held.discard((tenant_id, name))


def new_source(presentation: bytes) -> Source:
    """Make it a new tenant's, for which nothing has been drawn yet."""
    return Source.of(uuid4(), presentation, digest=digest_of(presentation))


def make_renderings(renderer: Renderer, folder: Path, leases: Leases | None = None) -> Renderings:
    """Make renderings kept in a folder; those of one folder and the same leases are two processes' of one service."""
    return Renderings(renderer, Storage.open(url=None, folder=folder), leases or SharedLeases())
