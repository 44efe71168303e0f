"""Make the README's pictures: the demo template, filled by the deck engine and rendered by LibreOffice.

`python tools/make_deck_pictures.py` writes docs/images/deck.png (the filled deck), docs/images/template.png
(a slide as its author wrote it, beside the slide that the customer sees) and docs/images/handouts.png.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFilter

from meetdeck.present.deck import compile_template, read_outline, whole_deck
from meetdeck.present.render.handouts import Sheet, handout
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import find_office

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "src/meetdeck/demo"
IMAGES = ROOT / "docs/images"

GAP = 26
CORNER_RADIUS = 6
BACKGROUND = "#EDEFF1"
# The portfolio: a chart beside a table full of tags. In the deck, more slides stand before it.
IN_TEMPLATE, IN_DECK = 4, 6


class _Bitmap(Protocol):
    def to_pil(self) -> Image.Image: ...


class _Page(Protocol):
    def get_width(self) -> float: ...
    def render(self, *, scale: float) -> _Bitmap: ...


async def make_pictures() -> None:
    """Render the template and the filled deck, and write both pictures."""
    template = (DEMO / "annual-review.pptx").read_bytes()
    deck = whole_deck(compile_template(template), json.loads((DEMO / "annual-review.json").read_bytes()))
    office = find_office()
    if office is None:
        raise SystemExit("LibreOffice is not installed; the pictures cannot be made without it.")
    pool = OfficePool(office, size=1)
    try:
        written, filled = await pool.to_pdf(template), await pool.to_pdf(deck.content)
    finally:
        await pool.close()
    _save(_arrange(_pages(filled, 500), across=3), IMAGES / "deck.png")
    pair = [_pages(written, 760)[IN_TEMPLATE], _pages(filled, 760)[IN_DECK]]
    _save(_arrange(pair, across=2), IMAGES / "template.png")
    outline = read_outline(deck.content)
    handouts = [handout(filled, outline, Sheet(slides=slides)) for slides in (2, 3, 4, 9)]
    _save(_arrange([_pages(pages, 380)[0] for pages in handouts], across=4), IMAGES / "handouts.png")


def _pages(pdf: bytes, width: int) -> list[Image.Image]:
    with pdfium.PdfDocument(pdf) as document:
        pages = [cast("_Page", document[i]) for i in range(len(document))]
        # Drawn twice as large and scaled down: thin letters come out cleaner.
        large = [page.render(scale=2 * width / page.get_width()).to_pil().convert("RGB") for page in pages]
    return [picture.resize((width, round(width * picture.height / picture.width))) for picture in large]


def _arrange(pictures: Sequence[Image.Image], across: int) -> Image.Image:
    """Lay pictures out in a grid, each with round corners and a soft shadow."""
    width, height = pictures[0].size
    down = -(-len(pictures) // across)
    sheet = Image.new("RGB", (across * (width + GAP) + GAP, down * (height + GAP) + GAP), BACKGROUND)
    places = [(GAP + i % across * (width + GAP), GAP + i // across * (height + GAP)) for i in range(len(pictures))]
    shadow = Image.new("L", sheet.size, 0)
    for x, y in places:
        ImageDraw.Draw(shadow).rounded_rectangle((x, y + 4, x + width, y + height + 4), CORNER_RADIUS, fill=70)
    sheet.paste("#0D2B3E", mask=shadow.filter(ImageFilter.GaussianBlur(8)))
    for picture, place in zip(pictures, places, strict=True):
        sheet.paste(picture, place, _rounded(picture.size))
    return sheet


def _rounded(size: tuple[int, int]) -> Image.Image:
    width, height = size
    mask = Image.new("L", (width * 4, height * 4), 0)
    corners = (0, 0, width * 4 - 1, height * 4 - 1)
    ImageDraw.Draw(mask).rounded_rectangle(corners, CORNER_RADIUS * 4, fill=255)
    return mask.resize(size)


def _save(sheet: Image.Image, path: Path) -> None:
    sheet.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {sheet.width} x {sheet.height}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    asyncio.run(make_pictures())
