"""Findings of text that does not fit, compared with LibreOffice's drawing with the fonts of this machine."""

import io
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pikepdf
import pypdfium2
import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches, Pt

from meetdeck.present.deck import Deck, Typefaces, compile_template, whole_deck
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.typefaces import InstalledTypefaces

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]

_WORDS = (
    "Porteføljen",
    "din",
    "pension",
    "og",
    "opsparing",
    "rådgivning",
    "The",
    "interest",
    "rate",
    "is",
    "adjusted",
    "with-hyphen",
    "fixed",
    "1,234,567.89",
    "DKK",
    "realkreditlån",
    "bank",
    "AVANZA",
    "WAVE",
    "To",
    "Typography",
    "a",
    "i",
    "fl",
    "ffi",
    "2026",
)
_FONTS = ("Calibri", "Arial", "Cambria", "Times New Roman", "Verdana", "Segoe UI", "Courier New", None)
_TOP, _INSET = 72, 3.6


class _Box(NamedTuple):
    """A text box: its text, font and size, and how many lines it has room for."""

    text: str
    font: str | None
    size: float
    room: float


def _boxes(count: int) -> Iterator[_Box]:
    chance = random.Random(7)  # noqa: S311 - the same boxes each time
    for _ in range(count):
        words = " ".join(chance.choice(_WORDS) for _ in range(chance.choice([3, 8, 20, 40])))
        yield _Box(words, chance.choice(_FONTS), chance.choice([10, 12, 14, 18, 24]), chance.uniform(1.2, 12))


def _save(presentation: Any) -> bytes:
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _fill(boxes: list[_Box], typefaces: Typefaces) -> Deck:
    presentation: Any = Presentation()
    presentation.slide_height = Inches(10)
    for number, box in enumerate(boxes):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        height = Pt(box.room * box.size * 1.2 + 2 * _INSET)
        shape = slide.shapes.add_textbox(Inches(1), Pt(_TOP), Inches(3), height)
        shape.text_frame.word_wrap, shape.text_frame.auto_size = True, MSO_AUTO_SIZE.NONE
        run = shape.text_frame.paragraphs[0].add_run()
        run.text, run.font.size, run.font.name = f"{{{{b{number}}}}}", Pt(box.size), box.font
    data = {f"b{number}": box.text for number, box in enumerate(boxes)}
    return whole_deck(compile_template(_save(presentation)), data, typefaces=typefaces)


def _drawn_bottoms(pdf: bytes) -> Iterator[float]:
    """Yield how far the lowest letter of each page is from its upper edge, in points."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            count: int = text.count_chars()
            boxes: list[tuple[float, ...]] = [text.get_charbox(number) for number in range(count)]  # pyright: ignore[reportUnknownMemberType] - it types no index
            yield page.get_height() - min(box[1] for box in boxes if box[2] > box[0])


async def test_what_is_found_sticks_out_of_its_shape_and_little_else_does(
    pool: OfficePool, typefaces: Typefaces
) -> None:
    boxes = list(_boxes(80))
    deck = _fill(boxes, typefaces)
    found = {int(f.details["position"]) for f in deck.findings if f.code == "overflow"}
    bottoms = list(_drawn_bottoms(await pool.to_pdf(deck.content)))
    excess = [
        bottom - (_TOP + 2 * _INSET + box.room * box.size * 1.2) for bottom, box in zip(bottoms, boxes, strict=True)
    ]
    assert 10 < len(found) < 70
    assert [(number, boxes[number]) for number in found if excess[number] <= 0] == []
    missed = [number for number, out in enumerate(excess) if out > boxes[number].size and number not in found]
    assert len(missed) <= 2


async def test_text_that_was_shrunk_is_drawn_inside_of_its_shape(pool: OfficePool, typefaces: Typefaces) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    body = slide.placeholders[1]
    body.text = "{{#rows}}{{.}}{{/rows}}"
    template = compile_template(_save(presentation))
    deck = whole_deck(template, {"rows": ["One of the points to talk about"] * 14}, typefaces=typefaces)
    assert [finding.code for finding in deck.findings] == ["text-shrunk"]
    (bottom,) = _drawn_bottoms(await pool.to_pdf(deck.content))
    assert bottom <= (body.top + body.height) / 12_700


async def test_a_table_is_as_high_as_it_is_drawn(pool: OfficePool, typefaces: Typefaces) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    frame = slide.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(1))
    texts = [["Fund", "Value"], ["{{#rows}}{{name}}", "{{value}}{{/rows}}"], ["Total", "99"]]
    for row, cells in enumerate(texts):
        for column, text in enumerate(cells):
            frame.table.cell(row, column).text = text
    rows = [{"name": " ".join(["Nordlys Globale Aktier"] * (1 + number % 3)), "value": number} for number in range(6)]
    deck = whole_deck(compile_template(_save(presentation)), {"rows": rows}, typefaces=typefaces)
    filled: Any = Presentation(io.BytesIO(deck.content)).slides[0].shapes[0]
    assert filled.height == sum(row.height for row in filled.table.rows)
    (bottom,) = _drawn_bottoms(await pool.to_pdf(deck.content))
    assert bottom == pytest.approx((filled.top + filled.height) / 12_700, abs=14)


async def test_emoji_are_drawn_and_what_is_not_is_found(pool: OfficePool, typefaces: Typefaces) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
    box.text_frame.text = "{{x}}"
    template = compile_template(_save(presentation))
    assert whole_deck(template, {"x": "👍 😀 中 ش א €"}, typefaces=typefaces).findings == ()
    (finding,) = whole_deck(template, {"x": "a \U0001faf8"}, typefaces=typefaces).findings
    assert (finding.code, finding.details["characters"]) == ("missing-glyph", "\U0001faf8")
    pdf = await pool.to_pdf(whole_deck(template, {"x": "👍"}).content)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        fonts = [str(font.BaseFont) for font in document.pages[0].Resources.Font.values()]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportUnknownArgumentType] - pikepdf types no keys
    assert any("Symbola" in font for font in fonts)


async def test_names_that_no_font_has_are_not_asked_for_without_end(
    typefaces: Typefaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def remember(family: str, *_: bool) -> None:
        asked.append(family)

    fonts = InstalledTypefaces()
    with monkeypatch.context() as patch:
        patch.setattr("meetdeck.present.render.typefaces._match", remember)
        for number in range(2_000):
            fonts.match(f"No such font {number}", bold=False, italic=False)
    assert len(asked) < 310
    usual = typefaces.match("Calibri", bold=False, italic=False)
    assert fonts.match("Calibri", bold=False, italic=False).measure("Text") == usual.measure("Text")


async def test_letters_that_a_font_lacks_are_shaped_in_the_one_that_draws_them(typefaces: InstalledTypefaces) -> None:
    word, font = "محفظتك", typefaces.match("Carlito", bold=False, italic=False)
    other = typefaces.find_fallback(word[0])
    if other is None or other is font:
        pytest.skip("there is no other font with Arabic letters")
    assert font.measure(word) == other.measure(word) < other.estimate(word)
    assert font.measure(f"a{word}") == pytest.approx(font.measure("a") + other.measure(word))
    assert font.measure("e\u0301") == pytest.approx(font.measure("é"))
