"""Watching the files of a template: at each save it is checked, filled and drawn."""

import asyncio
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from PIL import Image

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render.pages import page_pictures
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.watching.board import Board
from meetdeck.present.watching.checking import CheckOutcome, check_template, list_remarks, list_slides, remark_on
from meetdeck.present.watching.schemas import Picture, Remark, WatchedTemplate

_EVERY_SECONDS: Final = 0.25
# The longest duration of a save: a program that writes a file elsewhere and renames it leaves none for a moment.
_SAVE_SECONDS: Final = 1.5
_WIDTH: Final = 1120  # pixels

# The time of change and the size of each file, None for a missing one.
_Prints = tuple[tuple[int, int] | None, ...]


class Watcher:
    """Keeps a board up to date with the files of a template."""

    def __init__(self, template: Path, data: Path | None, renderer: Renderer, board: Board, clock: Clock) -> None:
        self._template, self._data, self._clock = template, data, clock
        self._renderer, self._board = renderer, board
        self._beside: tuple[Path, ...] = ()

    async def run(self) -> None:
        """Check the template now, and whenever one of its files changes, until cancelled."""
        seen: _Prints | None = None
        while True:
            prints = await self._read_settled_files()
            if prints != seen:
                look = await self._check(prints)
                # With the files that it was found to be made of.
                seen = (await self._prints()) if self._beside != look.read else prints
                self._beside = look.read
                await self._show(look)
            await asyncio.sleep(_EVERY_SECONDS)

    async def _check(self, prints: _Prints) -> CheckOutcome:
        """Return the outcome of a check; faults count only after the files have been unchanged for a while."""
        while True:
            look = await run_in_thread(check_template, self._template, self._data, self._clock().date())
            if look.deck:
                return look
            await asyncio.sleep(_SAVE_SECONDS)
            later = await self._read_settled_files()
            if later == prints:
                return look
            prints = later

    async def _read_settled_files(self) -> _Prints:
        """Return the files' prints once they are equal twice in a row: no write is in progress."""
        prints = await self._prints()
        while True:
            await asyncio.sleep(_EVERY_SECONDS / 2)
            later = await self._prints()
            if later == prints:
                return later
            prints = later

    async def _prints(self) -> _Prints:
        files = (self._template, *([self._data] if self._data else []), *self._beside)
        return await run_in_thread(_read_prints, files)

    async def _show(self, look: CheckOutcome) -> None:
        now, before = self._clock(), self._board.state
        if not look.deck:
            slides = remark_on(before.slides, look)
            remarks = list_remarks(look, slides)
            broken = replace(before, status="broken", checked_at=now, remarks=remarks, slides=slides)
            await self._board.show(broken)
            return
        # Keep the earlier pictures until there are new ones, so that nothing jumps.
        slides = list_slides(look, [slide.picture for slide in before.slides if slide.picture])
        remarks = list_remarks(look, slides)
        state = WatchedTemplate(before.version, "drawing", before.file, now, remarks, slides)
        await self._board.show(state)
        try:
            pictures = self._add(await self._draw(look.deck))
        except MeetdeckError as problem:
            trouble = Remark("Warning", "no-pictures", str(problem))
            await self._board.show(replace(state, status="ready", remarks=(trouble, *remarks)))
            return
        await self._board.show(replace(state, status="ready", slides=list_slides(look, pictures)))

    async def _draw(self, deck: bytes) -> list[bytes]:
        pdf = await self._renderer.to_pdf(deck)
        return await run_in_thread(lambda: list(page_pictures(pdf, width=_WIDTH)))

    def _add(self, pictures: list[bytes]) -> list[Picture]:
        sizes = [Image.open(io.BytesIO(picture)).size for picture in pictures]
        return [Picture(name, *size) for name, size in zip(self._board.add(pictures), sizes, strict=True)]


def _read_prints(files: Iterable[Path]) -> _Prints:
    return tuple(_read_print(file) for file in files)


def _read_print(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
