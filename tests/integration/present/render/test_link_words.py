"""Long links as LibreOffice draws them: broken between words, with lines as far apart as others."""

import io
from collections.abc import Callable
from typing import Any, NamedTuple

import pypdfium2
import pytest
from PIL import ImageOps
from pptx import Presentation
from pptx.util import Inches, Pt

from meetdeck.present.deck import address_slide_links, compile_template, whole_deck
from meetdeck.present.render.office import OfficePool
from support.pdfs import links_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]

TEXT = "Foundation for the Preservation of Historic Windmills in Southern Funen, a very long name of a house"


class Line(NamedTuple):
    """A line of a page: its text, and where it stands, from below."""

    text: str
    y: float


def draw(fill: Callable[[Any, Any], None], data: dict[str, object] | None = None) -> bytes:
    """Return a deck of two slides; `fill` gets the presentation and the first."""
    presentation: Any = Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[6])
    presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = "Goal"
    fill(presentation, first)
    packed = io.BytesIO()
    presentation.save(packed)
    return whole_deck(compile_template(packed.getvalue()), data or {}).content


def box(slide: Any, *, left: float = 1, width: float = 2.6) -> Any:
    shape = slide.shapes.add_textbox(Inches(left), Inches(1), Inches(width), Inches(2))
    shape.text_frame.word_wrap = True
    return shape.text_frame.paragraphs[0]


def link(paragraph: Any, text: str) -> None:
    run = paragraph.add_run()
    run.text, run.font.size = text, Pt(18)
    run.hyperlink.address = "https://example.com/"


def by_author(presentation: Any, slide: Any) -> None:
    del presentation
    paragraph = box(slide)
    paragraph.add_run().text = "See "
    link(paragraph, TEXT)
    paragraph.add_run().text = " and more"


def by_filter(presentation: Any, slide: Any) -> None:
    del presentation
    box(slide).add_run().text = '{{u | link:"%s"}}' % TEXT  # noqa: UP031 - braces


def by_markdown(presentation: Any, slide: Any) -> None:
    del presentation
    box(slide).add_run().text = "{{text | markdown}}"


def in_a_table(presentation: Any, slide: Any) -> None:
    del presentation
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(1), Inches(5), Inches(1)).table
    link(table.cell(0, 0).text_frame.paragraphs[0], TEXT)


def to_a_slide(presentation: Any, slide: Any) -> None:
    del presentation
    box(slide).add_run().text = '{{#goals}}{{name | goto:"Goal"}}{{/goals}}'


def read_lines(pdf: bytes) -> list[Line]:
    page: Any = pypdfium2.PdfDocument(pdf)[0]
    text = page.get_textpage()
    found: list[Line] = []
    for at in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(at)
        piece, y = text.get_text_bounded(left, bottom, right, top), (bottom + top) / 2
        if found and abs(found[-1].y - y) < 6:
            found[-1] = Line(found[-1].text + " " + piece, found[-1].y)
        else:
            found.append(Line(piece, y))
    return found


@pytest.mark.parametrize("fill", [by_author, by_filter, by_markdown, in_a_table, to_a_slide])
async def test_a_long_link_breaks_between_words_alone(pool: OfficePool, fill: Callable[[Any, Any], None]) -> None:
    address = "https://example.com/"
    deck = draw(fill, {"u": address, "text": f"[{TEXT}]({address})", "goals": [{"name": TEXT}]})

    pdf = await pool.to_pdf(address_slide_links(deck))

    lines = [line for line in read_lines(pdf) if line.text.strip()]
    assert len(lines) >= 4
    words = [word for line in lines for word in line.text.split()]
    assert set(words) >= set(TEXT.split())
    links = links_of(pdf, 0)
    assert {one.target for one in links} == {address if fill is not to_a_slide else "https://slide.invalid/2"}
    assert 4 <= len(links) <= len(lines)


async def test_lines_of_a_link_are_as_far_apart_as_others(pool: OfficePool) -> None:
    def fill(presentation: Any, slide: Any) -> None:
        del presentation
        link(box(slide), TEXT)
        plain = box(slide, left=5).add_run()
        plain.text, plain.font.size = TEXT, Pt(18)

    pdf = await pool.to_pdf(draw(fill))

    page: Any = pypdfium2.PdfDocument(pdf)[0]
    drawn = page.render(scale=1).to_pil().convert("L")
    half = drawn.width // 2
    left, right = (drawn.crop((edge, 0, edge + half, drawn.height)) for edge in (0, half))
    heights = [ImageOps.invert(side).getbbox() for side in (left, right)]
    assert heights[0] is not None
    assert heights[1] is not None
    assert heights[0][3] == pytest.approx(heights[1][3], abs=4)


async def test_the_deck_itself_keeps_its_runs() -> None:
    built: Any = Presentation(io.BytesIO(draw(by_author)))
    assert TEXT in [run.text for shape in built.slides[0].shapes for run in shape.text_frame.paragraphs[0].runs]
