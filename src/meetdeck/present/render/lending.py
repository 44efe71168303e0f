"""Lends the renderer that the settings choose, for as long as a process needs it."""

import os
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

import structlog

from meetdeck.platform.settings import Area, Settings
from meetdeck.platform.settings.server_addresses import read_gotenberg_url
from meetdeck.present.render import gotenberg
from meetdeck.present.render.confinement import require_jail
from meetdeck.present.render.gotenberg import GotenbergRenderer
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import MissingRenderer, Renderer, find_office

log = structlog.stdlib.get_logger()


@asynccontextmanager
async def lend_renderer(settings: Settings, *, place: int = 0) -> AsyncGenerator[Renderer]:
    """Yield Gotenberg, this machine's LibreOffice, or a renderer that refuses with instructions. Raises SetupError.

    The first of several workers starts LibreOffice at once, unless told otherwise; others when they need it.
    """
    renderer = _choose_renderer(settings, place)
    try:
        is_early = settings.office_at_start and place == 0 and Area.PRESENT in settings.only
        if isinstance(renderer, OfficePool) and is_early:
            renderer.start()
        yield renderer
    finally:
        await renderer.close()


def lend_no_renderer() -> AbstractAsyncContextManager[Renderer]:
    """Return a renderer that renders nothing."""
    return nullcontext(MissingRenderer())


def _choose_renderer(settings: Settings, place: int) -> Renderer:
    if settings.gotenberg_url is not None:
        size = _share(settings.office_processes or gotenberg.DEFAULT_SIZE, settings.workers, place)
        return GotenbergRenderer(read_gotenberg_url(settings.gotenberg_url), size=size)
    office = find_office(soffice=settings.office_path, python=settings.office_python)
    if office is None:
        log.warning("no LibreOffice found: PDF and pictures answer 503 with what to install")
        return MissingRenderer()
    if Area.PRESENT in settings.only:
        require_jail(office, optional=settings.jail_optional)
    size = _share(settings.office_processes or os.cpu_count() or 1, settings.workers, place)
    return OfficePool(office, size=size, jail_optional=settings.jail_optional)


def _share(processes: int, workers: int, place: int) -> int:
    """Return one worker's share of the renderer's processes: at least one."""
    return max(1, processes // workers + (place < processes % workers))
