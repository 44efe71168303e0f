"""A picture of an example: the template's slides beside the deck's, with what slides do not show written on them."""

from collections.abc import Sequence
from functools import cache
from typing import Final, Protocol, cast

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFont

from .stage import TITLE, WIDTH, Callout

_SLIDE_WIDTH: Final = 760
_GAP: Final = 28
_HEADING: Final = 46
_CALLOUT: Final = 27
_LINE: Final = 34
_BACKGROUND, _INK, _ALT, _STRIP = "#EDEFF1", "#445058", "#9A4B00", "#FFF8E5"
_COLORS: Final = 64


class _Bitmap(Protocol):
    def to_pil(self) -> Image.Image: ...


class _Page(Protocol):
    def get_width(self) -> float: ...
    def render(self, *, scale: float) -> _Bitmap: ...


def draw_pages(pdf: bytes) -> list[Image.Image]:
    """Return the pages of a PDF as pictures of one width."""
    with pdfium.PdfDocument(pdf) as document:
        pages = [cast("_Page", document[number]) for number in range(len(document))]
        # Drawn twice as large and scaled down: thin letters come out cleaner.
        large = [page.render(scale=2 * _SLIDE_WIDTH / page.get_width()).to_pil().convert("RGB") for page in pages]
    return [page.resize((_SLIDE_WIDTH, round(_SLIDE_WIDTH * page.height / page.width))) for page in large]


def mark_callouts(slides: Sequence[Image.Image], callouts: Sequence[Callout]) -> None:
    """Outline the shapes with alternative texts and write these above them; beside the words of a title."""
    scale = _SLIDE_WIDTH / WIDTH
    for number, box, text in callouts:
        draw = ImageDraw.Draw(slides[number])
        left, top, right, bottom = (round(scale * edge) for edge in (box.x, box.y, box.x + box.w, box.y + box.h))
        draw.rectangle((left, top, right, bottom), outline=_ALT, width=3)
        lines = _break(text, draw, right - left)
        width = round(max(draw.textlength(line, _font(_CALLOUT)) for line in lines)) + 20
        if box == TITLE:
            left, foot = right - width, bottom
        else:
            foot = top
        draw.rectangle((left, foot - _LINE * len(lines) - 4, left + width, foot), fill=_ALT)
        for above, line in enumerate(reversed(lines)):
            draw.text((left + 10, foot - 2 - _LINE * (above + 0.5)), line, "white", _font(_CALLOUT), anchor="lm")


def _break(text: str, draw: ImageDraw.ImageDraw, width: int) -> list[str]:
    """Return the words in as many lines as they need in a width."""
    words = text.split()
    fits = draw.textlength(text, _font(_CALLOUT)) + 20 <= width
    return [text] if fits or len(words) == 1 else words


@cache
def _font(size: int, weight: str = "Regular") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(f"Carlito-{weight}.ttf", size)


def with_strip(slide: Image.Image, label: str, lines: Sequence[str]) -> Image.Image:
    """Return a picture of a slide, with its notes and the addresses of its links below."""
    height = 26 + _LINE * len(lines)
    sheet = Image.new("RGB", (slide.width, slide.height + height), _STRIP)
    sheet.paste(slide)
    draw = ImageDraw.Draw(sheet)
    for number, line in enumerate(lines):
        y = slide.height + 13 + _LINE * (number + 0.5)
        draw.text((18, y), label if number == 0 else "", _ALT, _font(_CALLOUT), anchor="lm")
        draw.text((110, y), line, _INK, _font(_CALLOUT), anchor="lm")
    return sheet


def arrange(columns: Sequence[tuple[str, Sequence[Image.Image]]]) -> Image.Image:
    """Return the columns side by side, each under its heading, in few colors."""
    heights = [sum(slide.height + _GAP for slide in slides) for _, slides in columns]
    size = (len(columns) * (_SLIDE_WIDTH + _GAP) + _GAP, _HEADING + max(heights))
    sheet = Image.new("RGB", size, _BACKGROUND)
    draw = ImageDraw.Draw(sheet)
    for number, (heading, slides) in enumerate(columns):
        x, y = _GAP + number * (_SLIDE_WIDTH + _GAP), _HEADING
        draw.text((x, _HEADING // 2 + 4), heading, _INK, _font(30, "Bold"), anchor="lm")
        for slide in slides:
            sheet.paste(slide, (x, y))
            draw.rectangle((x, y, x + slide.width - 1, y + slide.height - 1), outline="#C9CFD4")
            y += slide.height + _GAP
    return sheet.quantize(_COLORS, dither=Image.Dither.NONE)
