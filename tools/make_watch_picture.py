"""Make the picture of `meetdeck template watch` in docs/templates.md: `python tools/make_watch_picture.py`."""

import asyncio
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.async_api import Page, ViewportSize, async_playwright
from template_pictures.example import ROOT
from template_pictures.stage import Box, Stage

from meetdeck.present.watching.command import run

sys.path.insert(0, str(ROOT / "tests"))

from support.chromium import find_chromium

_PICTURE: Final = ROOT / "docs/images/watch.png"
_SIZE: Final[ViewportSize] = {"width": 1200, "height": 820}
_COLORS: Final = 128


async def make_picture() -> None:
    """Watch a template with two things to mend, and write the picture of its page."""
    with TemporaryDirectory() as folder:
        template = Path(folder, "review.pptx")
        template.write_bytes(_draw())  # noqa: ASYNC240 - nobody else waits
        addresses: asyncio.Queue[str] = asyncio.Queue()
        watching = asyncio.create_task(run(template, None, port=0, announce=addresses.put_nowait))
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=find_chromium())
                page = await browser.new_page(viewport=_SIZE)
                await page.goto(await addresses.get())
                await _save(page)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


async def _save(page: Page) -> None:
    await page.get_by_text("Up to date").wait_for(timeout=40_000)
    await page.wait_for_function("[...document.images].every((image) => image.complete && image.src)")
    shot = Image.open(BytesIO(await page.screenshot())).convert("RGB")
    shot.quantize(_COLORS).save(_PICTURE, optimize=True)
    print(f"{_PICTURE.name}: {_PICTURE.stat().st_size:,} bytes")


def _draw() -> bytes:
    stage = Stage()
    stage.begin("Your savings, {{customer.name}}")
    stage.text("At the end of 2026: {{total | currency:DKK}}", "{advisor.name}} is happy to answer questions.")
    stage.begin("What we agreed")
    stage.text("{{#steps}}", "{{@number}}. {{text}}", "{{/steps}}", size=16)
    stage.banner("{{advice}} {{advice}} {{advice}} {{advice}}", box=Box(0.35, 2.3, 2.4, 0.3), size=18)
    return stage.save()


if __name__ == "__main__":
    asyncio.run(make_picture())
